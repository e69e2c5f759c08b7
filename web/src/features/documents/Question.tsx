import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, type ReactNode } from 'react'

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
      <DialogContent sx={{ overflowWrap: 'anywhere' }}>
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
