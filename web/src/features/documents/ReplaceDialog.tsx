import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { sizeText } from './document-texts.ts'

interface Props {
  /** Name of the current document. */
  name: string
  /** The new file, while the dialog is open. */
  file: File | undefined
  onYes: () => void
  onNo: () => void
}

export function ReplaceDialog({ name, file, onYes, onNo }: Props) {
  const id = useId()
  return (
    <Dialog
      open={file !== undefined}
      onClose={onNo}
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      fullWidth
      maxWidth="xs"
    >
      <DialogTitle id={id}>Replace this document?</DialogTitle>
      <DialogContent id={`${id}-text`} sx={{ overflowWrap: 'anywhere' }}>
        {file && (
          <p>
            <strong>{name}</strong> will be replaced by <strong>{file.name}</strong> (
            {sizeText(file.size)}).
          </p>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onNo}>
          Cancel
        </Button>
        <Button onClick={onYes}>Replace</Button>
      </DialogActions>
    </Dialog>
  )
}
