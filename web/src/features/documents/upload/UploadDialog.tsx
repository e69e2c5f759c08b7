import { useId } from 'react'
import { flushSync } from 'react-dom'
import { DialogTitle } from '../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { withClass } from '../../../ui/with-class.ts'
import { Question } from '../Question.tsx'
import type { PhonePanel } from './phone-panel.ts'
import { UploadForm } from './UploadForm.tsx'
import { useUploads, useUploadsState } from './uploads.ts'
import css from './UploadDialog.module.css'

/** Full screen on phones, because the lists need the space. */
const Sheet = withClass(Dialog, css['sheet'])

export function UploadDialog(props: { PhonePanel?: PhonePanel }) {
  const id = useId()
  const { leaveDialog, closeDialog, keepFiles } = useUploads()
  const state = useUploadsState(({ dialog }) => dialog)
  const request = useUploadsState((uploads) => uploads.request)

  function close(_: unknown, reason: 'backdropClick' | 'escapeKeyDown'): void {
    // An accidental press beside the dialog must neither lose nor hide the files.
    if (reason === 'escapeKeyDown') leaveDialog()
  }

  function discard(): void {
    // First the question closes and returns the focus to the dialog, then the dialog to its opener.
    flushSync(keepFiles)
    closeDialog()
  }

  return (
    <>
      <Sheet open={state !== 'closed'} onClose={close} aria-labelledby={id} fullWidth maxWidth="sm">
        <DialogTitle id={id}>{request ? `Upload ${request.name}` : 'Upload Documents'}</DialogTitle>
        <UploadForm {...props} />
      </Sheet>
      <Question
        open={state === 'asking'}
        title="Discard the files you picked?"
        yes="Discard"
        no="Keep them"
        onYes={discard}
        onNo={keepFiles}
      >
        <p>They have not been sent yet. If you discard them, you can choose them again later.</p>
      </Question>
    </>
  )
}
