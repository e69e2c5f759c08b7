import { documentExists } from '@guidon/contract/documents'
import type { UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import Restore from '@mui/icons-material/Restore'
import { useId, useRef, useState, type ChangeEvent } from 'react'
import { CallFailure } from '../../../api/call-failure.ts'
import { fileGone, isSameFile } from '../../../api/resumable/same-file.ts'
import { ActionRow, RowActions } from '../../../ui/ActionRow.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { clockTimeOf } from '../../../ui/dates.ts'
import { failureText } from '../../../ui/failure-text.ts'
import { FieldError } from '../../../ui/Field.tsx'
import { sizeText } from '../../../ui/size-text.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { FILE_INPUT_ACCEPT } from '../file-check.ts'
import { isPhotosName } from '../photos/photo-pages.ts'
import { freeName } from '../upload/free-name.ts'
import { useTakenNames } from '../upload/use-taken-names.ts'
import { withoutCameraData } from '../without-camera-data.ts'
import css from './UnfinishedRow.module.css'

/** Below the row, so that the live region takes no space while it is empty. */
const Below = withClass('div', css['below'])

interface Props {
  upload: UnfinishedUpload
  /** Returns false if the document is being replaced by another file. */
  onResume: (file: File) => boolean
  /** For an upload that only has to be checked. `name`: of the document. */
  onFinish: (name: string) => Promise<void>
  /** Undefined where no other file can be added. */
  onUploadAnew?: (file: File) => void
  onRemove: () => Promise<void>
}

/** The name of a new version cannot be chosen. */
const isNameTaken = (error: unknown, { replaces }: UnfinishedUpload): boolean =>
  replaces === null && error instanceof CallFailure && error.code === documentExists.code

export function UnfinishedRow({ upload, onResume, onFinish, onUploadAnew, onRemove }: Props) {
  const { name, size, offset, expiresAt } = upload
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<'checking' | 'finishing' | 'removing'>()
  const [failure, setFailure] = useState<string>()
  /** In place of a name that is taken. */
  const [newName, setNewName] = useState<string>()
  const takenNames = useTakenNames()
  /** A file that is not the one of the upload. */
  const [other, setOther] = useState<File>()
  const complete = offset === size
  const percent = Math.floor((offset / size) * 100)

  async function pick({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const given = target.files?.[0]
    // Clear the input, or choosing the same file again would not fire a change.
    target.value = ''
    if (!given || busy) return
    setOther(undefined)
    setFailure(undefined)
    setBusy('checking')
    try {
      const file = await withoutCameraData(given)
      const isSame = await isSameFile(file, upload)
      if (isSame && onResume(file)) return
      if (!isSame) setOther(file)
      if (isSame) setFailure('This document is being replaced right now.')
      else setFailure(`${file.name} is not the file that you started with, or it has changed.`)
    } catch {
      setFailure(fileGone.message)
    }
    setBusy(undefined)
  }

  async function finishOrRemove(how: 'finishing' | 'removing'): Promise<void> {
    setFailure(undefined)
    setBusy(how)
    try {
      await (how === 'removing' ? onRemove() : onFinish(newName?.trim() || name))
    } catch (error) {
      if (how === 'finishing' && isNameTaken(error, upload))
        setNewName(freeName(newName ?? name, [newName ?? name, ...takenNames]))
      setFailure(failureText(error as Error))
      setBusy(undefined)
    }
  }

  return (
    <li>
      <ActionRow>
        <Restore aria-hidden />
        <div>
          <Typography component="strong" className={css['text']}>
            {name}
          </Typography>
          <Typography variant="body2">
            {percent}% of {sizeText(size)} is sent.{' '}
            {complete ? 'We only have to check the file.' : 'Choose the file again to continue.'}
            {!complete &&
              isPhotosName(name) &&
              ' If you made it here from photos, remove it and send the photos again.'}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            You can continue until <time dateTime={expiresAt}>{clockTimeOf(expiresAt)}</time>.
          </Typography>
        </div>
        <RowActions data-part="actions">
          <BusyButton
            busy={busy === 'checking' || busy === 'finishing'}
            onClick={() => (complete ? void finishOrRemove('finishing') : input.current?.click())}
            {...(failure !== undefined && { 'aria-describedby': id })}
          >
            {complete ? 'Finish' : 'Choose file'}{' '}
            <VisuallyHidden>
              {complete ? 'the upload of' : 'to continue'} {name}
            </VisuallyHidden>
          </BusyButton>
          <BusyButton
            variant="outlined"
            busy={busy === 'removing'}
            onClick={() => void finishOrRemove('removing')}
          >
            Remove <VisuallyHidden>the unfinished upload of {name}</VisuallyHidden>
          </BusyButton>
        </RowActions>
      </ActionRow>
      <Below>
        <div role="alert">
          {failure !== undefined && <FieldError id={id}>{failure}</FieldError>}
        </div>
        {newName !== undefined && (
          <TextField
            label="Upload it with this name"
            aria-label={`New name of ${name}`}
            value={newName}
            describedBy={id}
            onChange={(event) => setNewName(event.target.value)}
          />
        )}
        {other && onUploadAnew && (
          <Button variant="outlined" className={css['button']} onClick={() => onUploadAnew(other)}>
            Upload {other.name} as a new file
          </Button>
        )}
      </Below>
      <input
        ref={input}
        type="file"
        accept={FILE_INPUT_ACCEPT}
        onChange={(event) => void pick(event)}
        hidden
        aria-label={`File to continue ${name}`}
      />
    </li>
  )
}
