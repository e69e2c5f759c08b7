import type { StaffDocument } from '@guidon/contract/documents'
import type { ReactNode } from 'react'
import { shownStatus } from '../../ui/document-status.ts'
import { DocumentStatusLabel } from '../../ui/DocumentStatusLabel.tsx'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { boxUrl } from './crm-and-box-urls.ts'
import {
  boxText,
  documentSize,
  factsText,
  receivedText,
  requestedFirst,
  statusWords,
} from './staff-document-texts.ts'
import css from './StaffDocuments.module.css'

/** One line per document, with the facts of its file in columns; below 900 px the facts are under the name. */
const List = withClass('ul', css['list'])

export type FileButtons = (document: StaffDocument) => ReactNode

interface Props {
  documents: readonly StaffDocument[]
  fileButtons: FileButtons | undefined
}

export function StaffDocuments({ documents, fileButtons }: Props) {
  return (
    <List>
      {requestedFirst(documents).map((document) => (
        <li key={document.id}>
          <div>
            <Typography className={css['name']}>{document.name}</Typography>
            <Typography variant="body2" component="div" color="textSecondary">
              <StatusLine document={document} />
            </Typography>
            {document.note && (
              <Typography variant="body2" className={css['note']}>
                Note: {document.note}
              </Typography>
            )}
            {document.boxFileId && document.fileProblem !== 'noId' && fileButtons?.(document)}
          </div>
          {document.boxFileId && <FileFacts document={document} />}
        </li>
      ))}
    </List>
  )
}

function StatusLine({ document }: { document: StaffDocument }) {
  const status = shownStatus(document)
  const facts = factsText(document)
  return (
    <>
      {document.boxFileId && <strong>Uploaded</strong>}
      {document.boxFileId && status && ' · '}
      {status && (
        <DocumentStatusLabel
          status={document.notInCrm ? 'notInRecords' : status}
          text={statusWords(document, status)}
        />
      )}
      {facts && ` · ${facts}`}
    </>
  )
}

function FileFacts({ document }: { document: StaffDocument }) {
  const received = receivedText(document)
  const size = documentSize(document)
  const file = boxUrl('file', document.boxFileId)
  return (
    <dl>
      {received && (
        <div>
          <dt>Received</dt>
          <dd>
            <time dateTime={document.lastUploadedDate!}>{received}</time>
          </dd>
        </div>
      )}
      {size && (
        <div data-fact="size">
          <dt>Size</dt>
          <dd>{size}</dd>
        </div>
      )}
      <div data-fact="box">
        <dt>Box</dt>
        <dd>{file ? <OutsideLink href={file}>Open file</OutsideLink> : boxText(document)}</dd>
      </div>
    </dl>
  )
}
