import { UPLOAD_DIALOG_CLOSES_SECONDS } from '@guidon/contract/documents'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../../ui/dialog-parts.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { LoadingText } from '../../../ui/LoadingText.tsx'
import { useTimeout } from '../../../ui/use-timeout.ts'
import { withClass } from '../../../ui/with-class.ts'
import { groupCategories } from '../document-list.ts'
import { useRequestedTypes } from '../documents-query.ts'
import { FilesView } from './FilesView.tsx'
import type { PhonePanel as Panel } from './phone-panel.ts'
import { canSend, isUploading, lacksCategory } from './picked-files.ts'
import { countUploaded, useUploads, useUploadsState } from './uploads.ts'
import { useCategories } from './use-categories.ts'
import { useTakenNames } from './use-taken-names.ts'
import css from './UploadForm.module.css'

const PhotoJoiner = lazyPart(
  async () => (await import('../photos/PhotoJoiner.tsx')).PhotoJoiner,
  <DialogContent>
    <LoadingText />
  </DialogContent>,
)

/** Shown until the code of the panel is loaded: CSS hides it after a form, and the panel is one. */
const WithoutPanel = withClass(DialogActions, css['withoutPanel'])

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

/** Focuses what the user has to do next. */
function focusNext(form: HTMLElement | null): void {
  const fields = form?.querySelectorAll('select') ?? []
  const missing = [...fields].find(({ value }) => value === '')
  const next = missing ?? form?.querySelector<HTMLElement>('[type=submit]')
  next?.focus()
}

/** Mounted each time the dialog opens. */
export function UploadForm({ PhonePanel }: { PhonePanel?: Panel }) {
  const { files, closeDialog, setHasPhotos, setOnPhone } = useUploads()
  const picked = useUploadsState((state) => state.picked)
  const uploaded = useUploadsState(countUploaded)
  const request = useUploadsState((state) => state.request)
  const categories = useCategories()
  const requestedTypes = useRequestedTypes()
  const takenNames = useTakenNames()
  const onPhone = useUploadsState((state) => state.onPhone)
  const [joining, setJoining] = useState(false)
  const [submitAttempted, setSubmitAttempted] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const uploading = picked.some(isUploading)
  const sendable = picked.some(canSend)
  // Closing the dialog would discard photos that are not joined yet.
  const finished = !joining && !onPhone && uploaded > 0 && picked.length === 0
  const failed = picked.some(
    ({ progress }) => progress.kind === 'failed' && progress.remedy === 'again',
  )
  /** Only files are left that the server will never accept. */
  const stuck = picked.length > 0 && !uploading && !sendable
  useTimeout(UPLOAD_DIALOG_CLOSES_SECONDS, finished, closeDialog)

  useEffect(() => {
    // The Upload button is gone, so focus the button that chooses another file.
    if (stuck) form.current?.querySelector<HTMLElement>('[data-part=choose-another]')?.focus()
  }, [stuck])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const missing = picked.some(lacksCategory)
    setSubmitAttempted(missing)
    if (missing) focusNext(form.current)
    else void files.send()
  }

  async function add(given: readonly File[]): Promise<void> {
    await files.add(given)
    // Renders the file now. For a request, this removes the button that has the focus.
    flushSync(() => {})
    if (request) focusNext(form.current)
  }

  /** Shows the files again. The pressed button is gone, so the focus returns to the one that opened this part. */
  function backToFiles(opener: 'join' | 'phone'): void {
    flushSync(() => {
      setHasPhotos(false)
      setJoining(false)
      setOnPhone(false)
    })
    form.current?.querySelector<HTMLElement>(`[data-part=${opener}]`)?.focus()
  }

  async function joined(file: File): Promise<void> {
    await files.add([file])
    backToFiles('join')
    focusNext(form.current)
  }

  if (onPhone && PhonePanel)
    return (
      <>
        <PhonePanel
          categories={categories && groupCategories(categories, requestedTypes)}
          onBack={() => backToFiles('phone')}
        />
        <WithoutPanel>
          <Button variant="outlined" onClick={() => backToFiles('phone')}>
            Back
          </Button>
        </WithoutPanel>
      </>
    )
  if (joining)
    return (
      <PhotoJoiner
        takenNames={takenNames}
        onBack={() => backToFiles('join')}
        onJoined={joined}
        onPagesChange={(count) => setHasPhotos(count > 0)}
      />
    )
  return (
    <form ref={form} noValidate onSubmit={submit} style={{ display: 'contents' }}>
      <FilesView
        categories={categories}
        showMissing={submitAttempted}
        onFiles={(given) => void add(given)}
        onJoin={() => setJoining(true)}
        onPhone={PhonePanel && (() => setOnPhone(true))}
      />
      <DialogActions>
        {finished ? (
          <Button ref={focusOnMount} variant="outlined" onClick={closeDialog}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="outlined" onClick={uploading ? files.stopAll : closeDialog}>
              {uploading ? 'Stop uploading' : uploaded > 0 ? 'Done' : 'Cancel'}
            </Button>
            {!stuck && (
              <BusyButton
                type="submit"
                busy={uploading && !sendable}
                disabled={picked.length === 0}
              >
                {failed ? 'Try again' : 'Upload'}
              </BusyButton>
            )}
          </>
        )}
      </DialogActions>
    </form>
  )
}
