import type { Document } from '@guidon/contract/documents'
import CheckCircle from '@mui/icons-material/CheckCircle'
import Description from '@mui/icons-material/DescriptionOutlined'
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ActionRow } from '../../ui/ActionRow.ts'
import { longDate } from '../../ui/dates.ts'
import { DueText } from '../../ui/DueText.tsx'
import { isNotStored, isNotUsable, isRequested, titleOf, typeBeside } from './document-list.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { Receipt } from './Receipt.tsx'

type Tone = 'success' | 'warning'

const Card = styled(ActionRow)({ '& > [data-part=actions]': { alignSelf: 'start' } })

const Tile = styled('span')<{ tone: Tone }>(({ tone, theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  alignSelf: 'start',
  width: 44,
  height: 44,
  borderRadius: 14,
  color: vars.palette[tone].main,
  backgroundColor: vars.palette.tone[tone].ground,
}))

const Label = styled('strong')<{ tone: Tone }>(({ tone, theme: { vars } }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  verticalAlign: 'bottom',
  color: vars.palette[tone].main,
  '& svg': { fontSize: '1.1rem' },
}))

export function DocumentCard({ document }: { document: Document }) {
  const { name, lastUploadedDate, status } = document
  const type = typeBeside(document)
  const requested = isRequested(document)
  const notUsable = isNotUsable(document)
  const notStored = isNotStored(document)
  const needed = requested || notUsable || notStored
  const tone = needed ? 'warning' : 'success'

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
          <Label tone={requested || notStored ? 'warning' : 'success'}>
            {requested || notStored ? <ErrorOutline aria-hidden /> : <CheckCircle aria-hidden />}
            {requested ? 'Requested' : notStored ? 'Not stored' : 'Uploaded'}
          </Label>
          {!requested && status === 'reviewed' && (
            <>
              {' · '}
              <Label tone="success">Reviewed</Label>
            </>
          )}
          {notUsable && (
            <>
              {' · '}
              <Label tone="warning">
                <ErrorOutline aria-hidden />
                Not usable
              </Label>
            </>
          )}
          {type && ` · ${type}`}
          {!requested && lastUploadedDate && document.size === null && (
            <>
              {' · '}
              <time dateTime={lastUploadedDate}>{longDate(lastUploadedDate)}</time>
            </>
          )}
        </Typography>
        {requested && <WhyAndWhen {...document} />}
        {notUsable && (
          <>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {document.statusReason?.trim() || 'We cannot use this file.'}
            </Typography>
            <Typography variant="body2">Please send a new one.</Typography>
          </>
        )}
        {notStored && (
          <Typography variant="body2">
            We could not store this file. Please send it again.
          </Typography>
        )}
        {!requested && !notStored && <Receipt {...document} />}
      </div>
      <DocumentActions document={document} needed={needed} offersPhone />
    </Card>
  )
}

/** By when a requested document is needed, and why. */
function WhyAndWhen({ due, why, status, statusReason }: Document) {
  // The staff may have removed a file that they cannot use.
  const reason = (status === 'notUsable' && statusReason) || why
  if (!due && !reason) return null
  return (
    <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
      {due && <DueText due={due} />} {reason}
    </Typography>
  )
}
