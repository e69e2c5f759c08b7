import { UPLOAD_CLOSES_SECONDS, type Document } from '@guidon/contract/documents'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import { lazy, Suspense, useEffect, useRef, useState, type FormEvent } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { useTimeout } from '../../../ui/use-timeout.ts'
import { FilesView } from './FilesView.tsx'
import { useCategories } from './use-categories.ts'
import { useUploadFiles } from './use-upload-files.ts'

const PhotoJoiner = lazy(async () => ({
  default: (await import('../photos/PhotoJoiner.tsx')).PhotoJoiner,
}))

interface Props {
  onClose: () => void
  onUploaded: (created: Document) => unknown
  onContentChange: (content: 'nothing' | 'files' | 'uploads') => void
}

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

function focusOnMissing(form: HTMLElement | null): void {
  const fields = form?.querySelectorAll('select') ?? []
  ;[...fields].find(({ value }) => value === '')?.focus()
}

/** Mounted each time the dialog opens, so that it starts without files. */
export function UploadForm({ onClose, onUploaded, onContentChange }: Props) {
  const files = useUploadFiles(onUploaded)
  const { picked, busy, finished } = files
  const categories = useCategories()
  const [joining, setJoining] = useState(false)
  const [submitAttempted, setSubmitAttempted] = useState(false)
  const hasJoined = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const missing = picked.some(({ category }) => category === '')
  const failed = picked.some(({ progress }) => progress.kind === 'failed')
  useTimeout(UPLOAD_CLOSES_SECONDS, finished, onClose)

  const content = busy ? 'uploads' : joining || picked.length > 0 ? 'files' : 'nothing'
  useEffect(() => onContentChange(content), [onContentChange, content])

  useEffect(() => {
    // The focused button was removed with its view.
    if (!joining && hasJoined.current) focusOnMissing(form.current)
    hasJoined.current = false
  }, [joining])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (busy) return
    setSubmitAttempted(missing)
    if (missing) focusOnMissing(form.current)
    else void files.send()
  }

  async function joined(file: File): Promise<void> {
    await files.add([file])
    hasJoined.current = true
    setJoining(false)
  }

  if (joining)
    return (
      <Suspense>
        <PhotoJoiner onBack={() => setJoining(false)} onJoined={joined} />
      </Suspense>
    )
  return (
    <form ref={form} noValidate onSubmit={submit} style={{ display: 'contents' }}>
      <FilesView
        files={files}
        categories={categories}
        showMissing={submitAttempted}
        onJoin={() => setJoining(true)}
      />
      <DialogActions>
        {finished ? (
          <Button ref={focusOnMount} variant="outlined" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="outlined" onClick={busy ? files.stopAll : onClose}>
              {busy ? 'Stop uploading' : 'Cancel'}
            </Button>
            <BusyButton type="submit" busy={busy} disabled={picked.length === 0}>
              {failed ? 'Try again' : 'Upload'}
            </BusyButton>
          </>
        )}
      </DialogActions>
    </form>
  )
}
