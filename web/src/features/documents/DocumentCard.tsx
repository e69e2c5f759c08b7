import type { Document } from '@guidon/contract/documents'
import CheckCircle from '@mui/icons-material/CheckCircle'
import Description from '@mui/icons-material/DescriptionOutlined'
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId, useRef, type ChangeEvent } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { longDate } from '../../ui/dates.ts'
import { FieldError } from '../../ui/Field.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { isRequested, titleOf, typeBeside } from './document-list.ts'
import { FILE_INPUT_ACCEPT } from './file-check.ts'
import { Receipt } from './Receipt.tsx'
import { ReplaceDialog } from './ReplaceDialog.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { useCardUpload } from './use-card-upload.ts'

const Card = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '12px 16px',
  padding: '16px 20px',
  '@container (max-width: 30rem)': {
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    padding: 16,
    '& > [data-part=actions]': { gridColumn: '1 / -1', '& > button': { flex: 1 } },
  },
})

const Tile = styled('span')<{ tone: 'success' | 'warning' }>(({ tone, theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  alignSelf: 'start',
  width: 44,
  height: 44,
  borderRadius: 14,
  color: vars.palette[tone].main,
  backgroundColor: vars.palette.tone[tone].ground,
}))

const Label = styled('strong')<{ tone: 'success' | 'warning' }>(({ tone, theme: { vars } }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  verticalAlign: 'bottom',
  color: vars.palette[tone].main,
  '& svg': { fontSize: '1.1rem' },
}))

const Actions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  alignSelf: 'start',
  '& > button': { minWidth: '7.2rem' },
})

const FullWidthRow = styled('div')({ gridColumn: '1 / -1', '&:empty': { display: 'none' } })

export function DocumentCard({ document }: { document: Document }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { openDialog, choose, chosen, confirm, dismiss, sentFraction, failure, stop } =
    useCardUpload(document)
  const { name, lastUploadedDate } = document
  const type = typeBeside(document)
  const requested = isRequested(document)
  const tone = requested ? 'warning' : 'success'
  const sending = sentFraction !== undefined

  function pick(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0]
    if (file) void choose(file)
    // Clear the input, or choosing the same file again would not fire a change.
    event.target.value = ''
  }

  return (
    <Card>
      <Tile tone={tone}>
        {requested ? <UploadFile aria-hidden /> : <Description aria-hidden />}
      </Tile>
      <div>
        <Typography variant="h3" sx={{ overflowWrap: 'anywhere' }}>
          {titleOf(document)}
        </Typography>
        {titleOf(document) !== name && (
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
        )}
        <Typography variant="body2" component="div" color="textSecondary">
          <Label tone={tone}>
            {requested ? <ErrorOutline aria-hidden /> : <CheckCircle aria-hidden />}
            {requested ? 'Requested' : 'Uploaded'}
          </Label>
          {type && ` · ${type}`}
          {!requested && lastUploadedDate && document.size === null && (
            <>
              {' · '}
              <time dateTime={lastUploadedDate}>{longDate(lastUploadedDate)}</time>
            </>
          )}
        </Typography>
        {!requested && <Receipt {...document} />}
      </div>
      <Actions data-part="actions">
        {sending && (
          <Button variant="outlined" onClick={stop}>
            Cancel <VisuallyHidden>upload of {name}</VisuallyHidden>
          </Button>
        )}
        <BusyButton
          variant={requested ? 'contained' : 'outlined'}
          busy={sending}
          onClick={() => (requested ? openDialog() : input.current?.click())}
          {...(failure !== undefined && { 'aria-describedby': `${id}-failure` })}
        >
          {requested ? 'Upload' : 'Replace'} <VisuallyHidden>{name}</VisuallyHidden>
        </BusyButton>
      </Actions>
      <FullWidthRow>
        {sending && <UploadProgress sentFraction={sentFraction} name={name} />}
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
    </Card>
  )
}
