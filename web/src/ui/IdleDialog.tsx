import { useId } from 'react'
import { BusyButton } from './BusyButton.tsx'
import { minutesAndSeconds } from './countdown.ts'
import { DialogActions, DialogContent, DialogTitle } from './dialog-parts.tsx'
import { Dialog } from './Dialog.tsx'
import { MAIN_ID } from './Main.tsx'
import { Notice } from './Notice.tsx'
import { Typography } from './Typography.tsx'
import { VisuallyHidden } from './VisuallyHidden.ts'
import css from './IdleDialog.module.css'

/** When a screen reader announces the remaining time, once. */
const LAST_CALL_SECONDS = 30

/**
 * Runs when the dialog has closed and returned the focus. If nothing had the focus before, because the page was
 * just loaded, focuses the main content.
 */
function focusMain(): void {
  const { activeElement, body } = document
  const nowhere = activeElement === body || activeElement?.closest('[role=alertdialog]')
  if (nowhere) document.getElementById(MAIN_ID)?.focus()
}

/** An alert dialog focuses the safe button first. */
const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

interface Props {
  open: boolean
  secondsLeft: number
  onStay: () => void
  staying: boolean
  onLeave: () => void
  leaving: boolean
  failure?: string | undefined
}

export function IdleDialog({
  open,
  secondsLeft,
  onStay,
  staying,
  onLeave,
  leaving,
  failure,
}: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      // Escape or a press beside the dialog shows that the user is present.
      onClose={onStay}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      transitionDuration={0}
      slotProps={{ transition: { onExited: focusMain } }}
    >
      <DialogTitle id={`${id}-title`}>Are you still there?</DialogTitle>
      <DialogContent>
        <Typography id={`${id}-text`}>
          Nothing has happened here for a while. To protect your information, we will sign you out
          soon.
        </Typography>
        <Typography className={css['text']}>
          Time left: <span role="timer">{minutesAndSeconds(secondsLeft)}</span>
        </Typography>
        <VisuallyHidden as="output">
          {open && secondsLeft <= LAST_CALL_SECONDS && `${LAST_CALL_SECONDS} seconds left.`}
        </VisuallyHidden>
        <Notice kind="error">{failure}</Notice>
      </DialogContent>
      <DialogActions>
        <BusyButton variant="outlined" busy={leaving} onClick={onLeave}>
          Log out
        </BusyButton>
        <BusyButton ref={focusOnMount} busy={staying} onClick={onStay}>
          Stay signed in
        </BusyButton>
      </DialogActions>
    </Dialog>
  )
}
