import type { Document } from '@guidon/contract/documents'
import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useRef } from 'react'
import { UploadForm } from './UploadForm.tsx'

interface Props {
  open: boolean
  onClose: () => void
  onUploaded: (made: Document) => unknown
}

export function UploadDialog({ open, onClose, onUploaded }: Props) {
  const id = useId()
  const holds = useRef<'nothing' | 'files' | 'uploads'>('nothing')

  function close(_: unknown, reason: 'backdropClick' | 'escapeKeyDown'): void {
    if (holds.current === 'uploads') return
    // A slip of the finger must not lose what was put together.
    if (holds.current === 'files' && reason === 'backdropClick') return
    onClose()
  }

  return (
    <Dialog open={open} onClose={close} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>Upload Documents</DialogTitle>
      <UploadForm
        onClose={onClose}
        onUploaded={onUploaded}
        onHold={(what) => {
          holds.current = what
        }}
      />
    </Dialog>
  )
}
