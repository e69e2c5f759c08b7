import type { Document } from '@guidon/contract/documents'
import Description from '@mui/icons-material/DescriptionOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import type { ReactNode } from 'react'
import { ActionRow } from '../../ui/ActionRow.ts'
import { longDate } from '../../ui/dates.ts'
import { shownStatus } from '../../ui/document-status.ts'
import { DocumentStatusLabel } from '../../ui/DocumentStatusLabel.tsx'
import { DueText } from '../../ui/DueText.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { isRequested, titleOf, typeBeside } from './document-list.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { Receipt } from './Receipt.tsx'
import css from './DocumentCard.module.css'

const Card = withClass(ActionRow, css['card'])

const Tile = withClass('span', css['tile'])

export type FileButtons = (document: Document) => ReactNode

interface Props {
  document: Document
  fileButtons: FileButtons | undefined
}

export function DocumentCard({ document, fileButtons }: Props) {
  const { name, lastUploadedDate } = document
  const type = typeBeside(document)
  const requested = isRequested(document)
  const status = shownStatus(document)
  const notUsable = status === 'notUsable'
  const notInRecords = status === 'notInRecords'
  const needed = requested || notUsable || notInRecords
  const tone = needed ? 'warning' : 'success'

  return (
    <Card>
      <Tile data-tone={tone}>
        {requested ? <UploadFile aria-hidden /> : <Description aria-hidden />}
      </Tile>
      <div>
        <Typography variant="h3" className={css['breakAnywhere']}>
          {titleOf(document)}
        </Typography>
        {titleOf(document) !== name && (
          <Typography variant="body2" className={css['breakAnywhere']}>
            {name}
          </Typography>
        )}
        <Typography variant="body2" component="div" color="textSecondary">
          {!requested && <strong>Uploaded</strong>}
          {!requested && status && ' · '}
          {status && <DocumentStatusLabel status={status} />}
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
            <Typography variant="body2" className={css['breakAnywhere']}>
              {document.statusReason?.trim() || 'We cannot use this file.'}
            </Typography>
            <Typography variant="body2">Please send a new one.</Typography>
          </>
        )}
        {status === 'delayed' && (
          <Typography variant="body2">
            Your file is safe with us. It is not in your records yet, and we are looking at it.
            There is nothing you need to do.
          </Typography>
        )}
        {notInRecords && (
          <Typography variant="body2">
            We have your file, but could not add it to your records. We are working on it. You can
            also send it again: the new copy takes its place.
          </Typography>
        )}
        {document.note && (
          <Typography variant="body2" className={css['breakAnywhere']}>
            Your note: {document.note}
          </Typography>
        )}
        {!requested && <Receipt {...document} />}
        {!requested && fileButtons?.(document)}
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
    <Typography variant="body2" className={css['breakAnywhere']}>
      {due && <DueText due={due} />} {reason}
    </Typography>
  )
}
