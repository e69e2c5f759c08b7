import type { Document } from '@guidon/contract/documents'
import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useId, useRef } from 'react'
import { UploadForm } from './UploadForm.tsx'

/** Full screen on phones, because the lists need the space. */
const Sheet = styled(Dialog)(({ theme: { breakpoints } }) => ({
  [breakpoints.down('sm')]: {
    '& .MuiDialog-paper': {
      width: '100%',
      maxWidth: '100%',
      height: '100%',
      maxHeight: '100%',
      margin: 0,
      border: 0,
      borderRadius: 0,
    },
    '& .MuiDialogTitle-root': { padding: '16px 16px 8px' },
    '& .MuiDialogContent-root': { padding: '8px 16px' },
    '& .MuiDialogActions-root': { padding: '12px 16px 16px' },
  },
}))

interface Props {
  open: boolean
  onClose: () => void
  onUploaded: (created: Document) => unknown
}

export function UploadDialog({ open, onClose, onUploaded }: Props) {
  const id = useId()
  const content = useRef<'nothing' | 'files' | 'uploads'>('nothing')

  function close(_: unknown, reason: 'backdropClick' | 'escapeKeyDown'): void {
    if (content.current === 'uploads') return
    // An accidental press beside the dialog must not lose the chosen files.
    if (content.current === 'files' && reason === 'backdropClick') return
    onClose()
  }

  return (
    <Sheet open={open} onClose={close} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>Upload Documents</DialogTitle>
      <UploadForm
        onClose={onClose}
        onUploaded={onUploaded}
        onContentChange={(next) => {
          content.current = next
        }}
      />
    </Sheet>
  )
}
