import { useId, useRef, type ChangeEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/Button.tsx'
import { FieldError } from '../../../ui/Field.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { FILE_INPUT_ACCEPT } from '../file-check.ts'
import type { PickedFile } from './picked-files.ts'
import type { Failure } from './upload-failures.ts'
import { useUploads } from './uploads.ts'
import { useOnline } from './use-online.ts'
import css from './UploadFailure.module.css'

const Part = withClass('div', css['part'])

const OFFLINE = 'You are offline. The file stays here, and we send it again once you are connected.'

/** Why a file was not uploaded, and what to do about it. */
export function UploadFailure({
  pickedFile,
  failure,
}: {
  pickedFile: PickedFile
  failure: Failure
}) {
  const { files } = useUploads()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const chooseAnother = useRef<HTMLButtonElement>(null)
  const online = useOnline()
  const { key, file, name } = pickedFile

  async function pick({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const { form } = target
    const other = target.files?.[0]
    target.value = ''
    if (!other) return
    await files.swap(key, other)
    // Renders now: if the other file can be sent, the pressed button is gone.
    flushSync(() => {})
    const next =
      chooseAnother.current ??
      form?.querySelector<HTMLElement>('[data-part=choose-another]') ??
      form?.querySelector<HTMLElement>('[type=submit]')
    next?.focus()
  }

  return (
    <Part>
      <FieldError id={id}>{failure.message}</FieldError>
      {failure.noResponse && !online && <Typography variant="body2">{OFFLINE}</Typography>}
      {failure.remedy === 'rename' && (
        <TextField
          label="Upload it with this name"
          aria-label={`New name of ${file.name}`}
          value={name}
          describedBy={id}
          onChange={(event) => files.rename(key, event.target.value)}
        />
      )}
      {failure.remedy === 'other-file' && (
        <>
          <Button
            ref={chooseAnother}
            variant="outlined"
            aria-describedby={id}
            onClick={() => input.current?.click()}
            data-part="choose-another"
          >
            Choose another file <VisuallyHidden>in place of {file.name}</VisuallyHidden>
          </Button>
          <input
            ref={input}
            type="file"
            accept={FILE_INPUT_ACCEPT}
            onChange={(event) => void pick(event)}
            hidden
            aria-label={`File in place of ${file.name}`}
          />
        </>
      )}
    </Part>
  )
}
