import type { Document } from '@guidon/contract/documents'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { DocumentCard } from './DocumentCard.tsx'
import type { ShowToast } from './use-toast.ts'

const List = styled('ul')(({ theme: { vars } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  containerType: 'inline-size',
  '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
}))

interface Props {
  documents: readonly Document[]
  show: ShowToast
}

export function DocumentList({ documents, show }: Props) {
  return (
    <Paper variant="outlined">
      <List>
        {documents.map((document) => (
          <li key={document.id}>
            <DocumentCard document={document} show={show} />
          </li>
        ))}
      </List>
    </Paper>
  )
}
