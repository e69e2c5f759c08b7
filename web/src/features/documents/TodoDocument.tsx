import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RowActions } from '../../ui/ActionRow.ts'
import { Button } from '../../ui/Button.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { documentsQuery } from './documents-query.ts'

interface Props {
  /** Of the document, or of the request that it answers. */
  id: string
  name: string
  /** Shows the list of documents, which is loading or has failed. */
  onShowList: () => void
}

/** The button of a document in the to-do list. It does the same as the button of the document's card. */
export function TodoDocument({ id, name, onShowList }: Props) {
  // The list of documents fetches when Home opens.
  const { data = [] } = useQuery({ ...documentsQuery, refetchOnMount: false })
  const found = data.find((one) => one.id === id || one.request?.id === id)
  // Kept, because a dialog returns the focus to the button after the document was sent.
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  const document = found ?? last
  if (document) return <DocumentActions document={document} needed />
  return (
    <RowActions data-part="actions">
      <Button onClick={onShowList}>
        Show <VisuallyHidden>{name} in the list of documents</VisuallyHidden>
      </Button>
    </RowActions>
  )
}
