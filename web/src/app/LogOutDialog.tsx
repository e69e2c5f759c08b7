import { useId } from 'react'
import { BusyButton } from '../ui/BusyButton.tsx'
import { Button } from '../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../ui/dialog-parts.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Typography } from '../ui/Typography.tsx'
import css from './LogOutDialog.module.css'

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
        <Typography id={`${id}-text`} className={failure ? css['text'] : undefined}>
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
