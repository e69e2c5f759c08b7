import type { Document } from '@guidon/contract/documents'
import Typography from '@mui/material/Typography'
import { receiptOf } from './document-texts.ts'

/** Facts for comparing the upload with the file at home, or for a call with the case manager. */
export function Receipt(document: Document) {
  const facts = receiptOf(document)
  if (facts === '') return null
  return (
    <Typography color="textSecondary" sx={{ fontSize: '0.85rem' }}>
      Receipt: {facts}
    </Typography>
  )
}
