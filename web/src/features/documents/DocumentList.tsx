import type { Document } from '@guidon/contract/documents'
import { rowList } from '../../ui/ActionRow.ts'
import { Paper } from '../../ui/Paper.tsx'
import { withClass } from '../../ui/with-class.ts'
import { cardIdOf } from './document-list.ts'
import { DocumentCard, type FileButtons } from './DocumentCard.tsx'
import { useUploadsState } from './upload/uploads.ts'

const List = withClass('ul', rowList)

interface Props {
  documents: readonly Document[]
  fileButtons: FileButtons | undefined
}

export function DocumentList({ documents, fileButtons }: Props) {
  const cardKeys = useUploadsState((state) => state.cardKeys)
  return (
    <Paper>
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
