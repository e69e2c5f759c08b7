import { useId, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './Question.module.css'

interface Props {
  open: boolean
  title: string
  /** Read aloud when the dialog opens. */
  children: ReactNode
  /** A field below the text. */
  field?: ReactNode
  yes: string
  no: string
  onYes: () => void
  onNo: () => void
}

/** Escape, or a press beside the dialog, means no. */
export function Question({ open, title, children, field, yes, no, onYes, onNo }: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onNo}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      fullWidth
      maxWidth="xs"
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent className={css['dialogContent']}>
        <div id={`${id}-text`}>{children}</div>
        {field}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onNo}>
          {no}
        </Button>
        <Button onClick={onYes}>{yes}</Button>
      </DialogActions>
    </Dialog>
  )
}
