import type { Document } from '@guidon/contract/documents'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
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
  // The uploaded file may have another id than the request; the same key keeps the card and its focus.
  const [cards, setCards] = useState<Readonly<Record<string, string>>>({})
  const cardOf = (id: string) => cards[id] ?? id
  return (
    <Paper variant="outlined">
      <List>
        {documents.map((document) => (
          <li key={cardOf(document.id)}>
            <DocumentCard
              document={document}
              show={show}
              onReplaced={({ id }) =>
                setCards((known) => ({ ...known, [id]: cardOf(document.id) }))
              }
            />
          </li>
        ))}
      </List>
    </Paper>
  )
}
