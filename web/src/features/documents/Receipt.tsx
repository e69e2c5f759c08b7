import type { Document } from '@guidon/contract/documents'
import Typography from '@mui/material/Typography'
import { fingerprint, shownSize, shownTime } from './document-texts.ts'

type Props = Pick<Document, 'size' | 'sha256' | 'lastUploadedDate'>

/** What a person can hold against the file at home, or read to the case manager. */
export function Receipt({ size, sha256, lastUploadedDate }: Props) {
  const facts = [
    lastUploadedDate !== null && shownTime(lastUploadedDate),
    size !== null && shownSize(size),
    sha256 !== null && `fingerprint ${fingerprint(sha256)}`,
  ].filter(Boolean)
  if (size === null && sha256 === null) return null
  return (
    <Typography color="textSecondary" sx={{ fontSize: '0.85rem' }}>
      Receipt: {facts.join(', ')}
    </Typography>
  )
}
