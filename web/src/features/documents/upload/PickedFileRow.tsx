import Close from '@mui/icons-material/Close'
import { Button } from '../../../ui/Button.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { sizeText } from '../../../ui/size-text.ts'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { groupCategories } from '../document-list.ts'
import { useRequestedTypes } from '../documents-query.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import { UploadProgress } from '../UploadProgress.tsx'
import { NoteField } from './NoteField.tsx'
import { canSend, isUploading, type PickedFile } from './picked-files.ts'
import { UploadFailure } from './UploadFailure.tsx'
import { useUploads } from './uploads.ts'
import css from './PickedFileRow.module.css'

const Row = withClass(Paper, css['row'])

const Head = withClass('div', css['head'])

interface Props {
  pickedFile: PickedFile
  choices: readonly string[] | undefined
  /** The message for a missing category. */
  categoryError: string | undefined
  onRemove: () => void
}

export function PickedFileRow({ pickedFile, choices, categoryError, onRemove }: Props) {
  const { files } = useUploads()
  const { key, file, category, note, request, progress } = pickedFile
  const running = isUploading(pickedFile)
  const requested = useRequestedTypes()
  return (
    <li>
      <Row data-failed={progress.kind === 'failed'}>
        <Head>
          <Thumbnail file={file} />
          <span>
            <strong>{file.name}</strong>
            <small>
              {sizeText(file.size)}
              {progress.kind === 'failed' && ' · Not uploaded'}
            </small>
          </span>
          <Button
            variant="text"
            data-remove
            onClick={running ? () => files.discard(key) : onRemove}
            startIcon={<Close aria-hidden />}
            className={css['button']}
          >
            {running ? 'Cancel' : 'Remove'} <VisuallyHidden>{file.name}</VisuallyHidden>
          </Button>
        </Head>
        {running && (
          <UploadProgress
            sent={progress.kind === 'sending' ? progress : undefined}
            name={file.name}
          />
        )}
        {progress.kind === 'failed' && <UploadFailure pickedFile={pickedFile} failure={progress} />}
        {canSend(pickedFile) && request === undefined && (
          <SelectField
            label="Category"
            aria-label={`Category of ${file.name}`}
            placeholder={choices === undefined ? 'Loading categories…' : 'Select a category'}
            options={groupCategories(choices ?? [], requested)}
            value={category}
            onChange={(event) => files.choose(key, event.target.value)}
            error={categoryError}
          />
        )}
        {canSend(pickedFile) && (
          <NoteField
            fileName={file.name}
            value={note}
            onChange={(text) => files.setNote(key, text)}
          />
        )}
      </Row>
    </li>
  )
}
