import type { StaffDocument } from '@guidon/contract/documents'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { shownStatus } from '../../ui/document-status.ts'
import { DocumentStatusLabel } from '../../ui/DocumentStatusLabel.tsx'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { boxAddress } from './outside-addresses.ts'
import {
  boxText,
  documentSize,
  factsText,
  receivedText,
  requestedFirst,
  statusWords,
} from './staff-document-texts.ts'

/** One line per document, with the facts of its file in columns; below 900 px the facts are under the name. */
const List = styled('ul')(({ theme: { vars, breakpoints } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': { padding: '12px 0', borderTop: `1px solid ${vars.palette.divider}` },
  '& dl': { display: 'grid', gap: '2px 20px', margin: '4px 0 0', fontSize: '0.9rem' },
  '& dl > div': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 8px' },
  '& dt': { color: vars.palette.text.secondary },
  '& dd': { margin: 0 },
  '& dd > a': { paddingBlock: 10 },
  [breakpoints.up('md')]: {
    '& > li': {
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 1fr) 29rem',
      alignItems: 'center',
      columnGap: 20,
    },
    '& dl': { gridTemplateColumns: '15.5rem 4.5rem 1fr', margin: 0 },
    '& dd > a': { marginBlock: -10 },
    '& dl > div': { display: 'block' },
    '& [data-fact=size]': { gridColumn: 2 },
    '& [data-fact=box]': { gridColumn: 3 },
  },
}))

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
            <Typography sx={{ fontWeight: 700 }}>{document.name}</Typography>
            <Typography variant="body2" component="div" color="textSecondary">
              <StatusLine document={document} />
            </Typography>
            {document.note && (
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                Note: {document.note}
              </Typography>
            )}
            {document.boxFileId && fileButtons?.(document)}
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
      {status && <DocumentStatusLabel status={status} text={statusWords(document, status)} />}
      {facts && ` · ${facts}`}
    </>
  )
}

function FileFacts({ document }: { document: StaffDocument }) {
  const received = receivedText(document)
  const size = documentSize(document)
  const file = boxAddress('file', document.boxFileId)
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
