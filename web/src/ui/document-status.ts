import type { Document, DocumentStatus } from '@guidon/contract/documents'

/** `notInRecords`: the file store refused the file. */
export type ShownStatus = DocumentStatus | 'notInRecords'

/** Undefined if the document has none that this release knows. */
export function shownStatus({
  boxFileId,
  status,
  sha256,
}: Pick<Document, 'boxFileId' | 'status' | 'sha256'>): ShownStatus | undefined {
  if (!boxFileId) return 'requested'
  // Only a file of the portal has a hash.
  return status === null && sha256 !== null ? 'notInRecords' : (status ?? undefined)
}
