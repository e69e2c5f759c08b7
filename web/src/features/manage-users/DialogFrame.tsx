import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, type ReactNode } from 'react'

interface Props {
  title: string
  open: boolean
  onClose: () => void
  /** Once it is gone from the screen. */
  onClosed?: (() => void) | undefined
  /** While something is being done nobody could say whether it was. */
  busy?: boolean
  /** Of the text of an alert. */
  describedBy?: string
  children: ReactNode
}

export function DialogFrame({
  title,
  open,
  onClose,
  onClosed,
  busy,
  describedBy,
  children,
}: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={busy ? undefined : onClose}
      role={describedBy ? 'alertdialog' : 'dialog'}
      aria-labelledby={id}
      {...(describedBy && { 'aria-describedby': describedBy })}
      fullWidth
      maxWidth="sm"
      // Whoever opened it may be gone by the time it closes: the page knows where to go on.
      disableRestoreFocus={onClosed !== undefined}
      slotProps={{ transition: onClosed ? { onExited: onClosed } : {} }}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      {children}
    </Dialog>
  )
}
