import { contactRequested, type ContactMethod } from '@guidon/contract/contact'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId, useRef, useState, type FormEvent } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ProviderEmailLink } from '../../ui/ProviderEmailLink.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { ContactChoice } from './ContactChoice.tsx'

interface Props {
  open: boolean
  onClose: () => void
  onSend: (method: ContactMethod) => void
  busy: boolean
  sent: ContactMethod | undefined
  failure: string | undefined
}

export function ContactDialog({ open, onClose, ...request }: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      // Not closable while sending, because the result would not be seen.
      onClose={request.busy ? undefined : onClose}
      aria-labelledby={id}
      fullWidth
      maxWidth="xs"
    >
      <DialogTitle id={id}>Request Contact</DialogTitle>
      <ContactForm onClose={onClose} {...request} />
    </Dialog>
  )
}

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

/** Mounted each time the dialog opens, so that it starts without a choice. */
function ContactForm({ onClose, onSend, busy, sent, failure }: Omit<Props, 'open'>) {
  const [method, setMethod] = useState<ContactMethod>()
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setMissing(method === undefined)
    if (method !== undefined) onSend(method)
    else form.current?.querySelector('input')?.focus()
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <DialogContent sx={{ py: 1, '& > [role]:not(fieldset, :empty)': { mt: 2 } }}>
        {!sent && (
          <>
            <ContactChoice
              chosen={method}
              onChoose={setMethod}
              missing={missing && method === undefined}
            />
            <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
              Or reach us yourself: call <ProviderPhoneLink /> or write to <ProviderEmailLink />.
            </Typography>
          </>
        )}
        <Notice kind="error">{failure}</Notice>
        <Notice kind="success">{sent && contactRequested(sent)}</Notice>
      </DialogContent>
      <DialogActions>
        {sent ? (
          <Button ref={focusOnMount} variant="outlined" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="outlined" onClick={busy ? undefined : onClose} aria-disabled={busy}>
              Cancel
            </Button>
            <BusyButton type="submit" busy={busy}>
              Send Request
            </BusyButton>
          </>
        )}
      </DialogActions>
    </form>
  )
}
