import { contactRequested, type ContactMethod } from '@guidon/contract/contact'
import { useId, useRef, useState, type FormEvent } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ProviderEmailLink } from '../../ui/ProviderEmailLink.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { ContactChoice } from './ContactChoice.tsx'
import css from './ContactDialog.module.css'

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
      <DialogContent className={css['dialogContent']}>
        {!sent && (
          <>
            <ContactChoice
              chosen={method}
              onChoose={setMethod}
              missing={missing && method === undefined}
            />
            <Typography variant="body2" color="textSecondary" className={css['text']}>
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
