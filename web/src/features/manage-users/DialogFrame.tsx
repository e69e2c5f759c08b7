import { useId, type ReactNode } from 'react'
import { DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './DialogFrame.module.css'

interface Props {
  title: string
  open: boolean
  onClose: () => void
  /** Called after the closing transition. */
  onClosed?: (() => void) | undefined
  /** Not closable while busy, because the result would not be seen. */
  busy?: boolean
  /** For content in columns. */
  wide?: boolean
  /** Id of the text of an alert dialog. */
  describedBy?: string
  children: ReactNode
}

export function DialogFrame({
  title,
  open,
  onClose,
  onClosed,
  busy,
  wide = false,
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
      maxWidth={wide ? 'md' : 'sm'}
      // The opener may be unmounted by the time it closes, so the page restores the focus.
      disableRestoreFocus={onClosed !== undefined}
      // At twice the text size a label can be wider than the dialog; at usual sizes it stays on one line.
      className={css['dialog']}
      slotProps={{ transition: onClosed ? { onExited: onClosed } : {} }}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      {children}
    </Dialog>
  )
}
