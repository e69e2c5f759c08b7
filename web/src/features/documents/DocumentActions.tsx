import type { Document } from '@guidon/contract/documents'
import { useEffect, useId, useRef, type ChangeEvent } from 'react'
import { RowActions } from '../../ui/ActionRow.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { isRequested } from './document-list.ts'
import { FILE_INPUT_ACCEPT } from './file-check.ts'
import { ReplaceDialog } from './ReplaceDialog.tsx'
import { useIsComputer } from './upload/use-is-computer.ts'
import { UploadProgress } from './UploadProgress.tsx'
import { useCardUpload } from './use-card-upload.ts'
import css from './DocumentActions.module.css'

const FullWidthRow = withClass('div', css['fullWidthRow'])

interface Props {
  document: Document
  /** Whether the user should send this document. */
  needed: boolean
  /** Whether a requested document has a button for the camera of a phone, too. */
  offersPhone?: boolean
}

/** The button of a document in an `ActionRow`, with the progress and the failure of its upload. */
export function DocumentActions({ document, needed, offersPhone = false }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hasOtherPhone = useIsComputer()
  const { openDialog, setPicking, choose, chosen, confirm, dismiss, sent, failure, stop } =
    useCardUpload(document)
  const { name } = document
  const requested = isRequested(document)
  const sending = sent !== undefined

  // React has no `onCancel` for inputs.
  useEffect(() => {
    const chooser = input.current
    const end = () => setPicking(false)
    chooser?.addEventListener('cancel', end)
    return () => chooser?.removeEventListener('cancel', end)
  }, [setPicking])

  function openPhone(): void {
    // The dialog returns the focus, and the pressed button is gone once the document is sent.
    button.current?.focus()
    openDialog(true)
  }

  function openChooser(): void {
    setPicking(true)
    input.current?.click()
  }

  function pick(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0]
    if (file) void choose(file)
    // Clear the input, or choosing the same file again would not fire a change.
    event.target.value = ''
  }

  return (
    <>
      <RowActions data-part="actions">
        {sending && (
          <Button variant="outlined" onClick={stop}>
            Cancel <VisuallyHidden>upload of {name}</VisuallyHidden>
          </Button>
        )}
        {offersPhone && requested && hasOtherPhone && (
          <Button variant="text" onClick={openPhone}>
            Use phone <VisuallyHidden>for {name}</VisuallyHidden>
          </Button>
        )}
        <BusyButton
          ref={button}
          variant={needed ? 'contained' : 'outlined'}
          busy={sending}
          onClick={requested ? () => openDialog() : openChooser}
          {...(failure !== undefined && { 'aria-describedby': `${id}-failure` })}
        >
          {requested ? 'Upload' : 'Replace'} <VisuallyHidden>{name}</VisuallyHidden>
        </BusyButton>
      </RowActions>
      <FullWidthRow>
        {sent && <UploadProgress sent={sent} name={name} />}
        {failure !== undefined && <FieldError id={`${id}-failure`}>{failure}</FieldError>}
      </FullWidthRow>
      <input
        ref={input}
        type="file"
        accept={FILE_INPUT_ACCEPT}
        onChange={pick}
        hidden
        aria-label={`File for ${name}`}
      />
      <ReplaceDialog name={name} file={chosen} onYes={confirm} onNo={dismiss} />
    </>
  )
}
