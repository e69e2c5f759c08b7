import type { Document } from '@guidon/contract/documents'
import Typography from '@mui/material/Typography'
import { receiptOf } from './document-texts.ts'

/** What a person can hold against the file at home, or read to the case manager. */
export function Receipt(document: Document) {
  const facts = receiptOf(document)
  if (facts === '') return null
  return (
    <Typography color="textSecondary" sx={{ fontSize: '0.85rem' }}>
      Receipt: {facts}
    </Typography>
  )
}
