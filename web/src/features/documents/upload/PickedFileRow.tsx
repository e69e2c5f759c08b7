import Close from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { SelectField } from '../../../ui/SelectField.tsx'
import { sizeText } from '../../../ui/size-text.ts'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { groupCategories } from '../document-list.ts'
import { useRequestedTypes } from '../documents-query.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import { UploadProgress } from '../UploadProgress.tsx'
import { FailedPart } from './FailedPart.tsx'
import { NoteField } from './NoteField.tsx'
import { canSend, isUploading, type PickedFile } from './picked-files.ts'
import { useUploads } from './uploads.ts'

const Row = styled(Paper)(({ theme: { vars } }) => ({
  display: 'grid',
  gap: 12,
  padding: 16,
  // Keeps the message below the focused field visible.
  '& select': { scrollMarginBottom: 88 },
  '&[data-failed=true]': { borderColor: vars.palette.error.main },
}))

const Head = styled('div')(({ theme: { vars } }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  gap: '4px 12px',
  alignItems: 'center',
  '& strong': { display: 'block', overflowWrap: 'anywhere', lineHeight: 1.35 },
  '@container (max-width: 24rem)': {
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    '& > button': { gridColumn: '1 / -1', justifySelf: 'start', marginLeft: -12 },
  },
  '& small': { fontSize: '0.9rem', color: vars.palette.text.secondary },
}))

interface Props {
  one: PickedFile
  choices: readonly string[] | undefined
  /** The message for a missing category. */
  categoryError: string | undefined
  onRemove: () => void
}

export function PickedFileRow({ one, choices, categoryError, onRemove }: Props) {
  const { files } = useUploads()
  const { key, file, category, note, request, progress } = one
  const running = isUploading(one)
  const requested = useRequestedTypes()
  return (
    <li>
      <Row variant="outlined" data-failed={progress.kind === 'failed'}>
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
            sx={{ px: 1.5, fontSize: '0.9rem' }}
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
        {progress.kind === 'failed' && <FailedPart one={one} failure={progress} />}
        {canSend(one) && request === undefined && (
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
        {canSend(one) && (
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
