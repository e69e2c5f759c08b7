import type { Document } from '@guidon/contract/documents'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { rowList } from '../../ui/ActionRow.ts'
import { cardIdOf } from './document-list.ts'
import { DocumentCard, type FileButtons } from './DocumentCard.tsx'
import { useUploadsState } from './upload/uploads.ts'

const List = styled('ul')(({ theme }) => rowList(theme))

interface Props {
  documents: readonly Document[]
  fileButtons: FileButtons | undefined
}

export function DocumentList({ documents, fileButtons }: Props) {
  const cardKeys = useUploadsState((state) => state.cardKeys)
  return (
    <Paper variant="outlined">
      <List>
        {documents.map((document) => (
          <li key={cardKeys[document.id] ?? cardIdOf(document, documents)}>
            <DocumentCard document={document} fileButtons={fileButtons} />
          </li>
        ))}
      </List>
    </Paper>
  )
}
