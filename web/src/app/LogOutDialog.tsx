import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { BusyButton } from '../ui/BusyButton.tsx'
import { Notice } from '../ui/Notice.tsx'

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

interface Props {
  onStay: () => void
  onLogOut: () => void
  busy: boolean
  failure: string | undefined
}

/** Asks before logging out on a phone: Log out is close to Settings, and signing in again needs a new code. */
export function LogOutDialog({ onStay, onLogOut, busy, failure }: Props) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onStay}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      transitionDuration={0}
    >
      <DialogTitle id={`${id}-title`}>Log out?</DialogTitle>
      <DialogContent>
        <Typography id={`${id}-text`} sx={{ mb: failure ? 2 : 0 }}>
          To sign in again, you need your password and a new code by email.
        </Typography>
        <Notice kind="error">{failure}</Notice>
      </DialogContent>
      <DialogActions>
        <Button ref={focusOnMount} variant="outlined" onClick={onStay}>
          Stay
        </Button>
        <BusyButton busy={busy} onClick={onLogOut}>
          Log out
        </BusyButton>
      </DialogActions>
    </Dialog>
  )
}
