import type { Document } from '@guidon/contract/documents'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { DocumentCard } from './DocumentCard.tsx'
import { useUploadsState } from './upload/uploads.ts'

const List = styled('ul')(({ theme: { vars } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  containerType: 'inline-size',
  '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
}))

export function DocumentList({ documents }: { documents: readonly Document[] }) {
  // The uploaded file may have another id than the request; the same key keeps the card and its focus.
  const cardKeys = useUploadsState((state) => state.cardKeys)
  return (
    <Paper variant="outlined">
      <List>
        {documents.map((document) => (
          <li key={cardKeys[document.id] ?? document.id}>
            <DocumentCard document={document} />
          </li>
        ))}
      </List>
    </Paper>
  )
}
