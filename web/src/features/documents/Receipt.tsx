import type { Document } from '@guidon/contract/documents'
import Typography from '@mui/material/Typography'
import { receiptText } from './document-texts.ts'

/** Lets the veteran compare the upload with the original file, alone or on the phone with the case manager. */
export function Receipt(document: Document) {
  const text = receiptText(document)
  if (text === '') return null
  return (
    <Typography color="textSecondary" sx={{ fontSize: '0.85rem' }}>
      Receipt: {text}
    </Typography>
  )
}
