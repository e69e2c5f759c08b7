import { HAS_SCRIPTS, type StaffDocument } from '@guidon/contract/documents'
import { localDateTime } from '../../ui/dates.ts'
import { sizeText } from '../../ui/size-text.ts'

/** Requested documents first, as on the veteran's screen. */
export function requestedFirst(documents: readonly StaffDocument[]): StaffDocument[] {
  return documents.toSorted((a, b) => Number(!!a.boxFileId) - Number(!!b.boxFileId))
}

/** `2 requested, 3 uploaded` */
export function documentCounts(documents: readonly StaffDocument[]): string {
  const uploaded = documents.filter(({ boxFileId }) => boxFileId).length
  return `${documents.length - uploaded} requested, ${uploaded} uploaded`
}

/** Empty for a document without a file or a time. */
export const receivedText = ({ boxFileId, lastUploadedDate }: StaffDocument): string =>
  boxFileId && lastUploadedDate ? localDateTime(lastUploadedDate) : ''

/** Empty for a file that was not uploaded through the portal. */
export const documentSize = ({ size }: StaffDocument): string =>
  size === null ? '' : sizeText(size)

export function statusText({ type, boxFileId, hasScripts }: StaffDocument): string {
  const note = hasScripts && HAS_SCRIPTS
  return [boxFileId ? 'Uploaded' : 'Requested', type, note].filter(Boolean).join(' · ')
}

/** Until Box has the file, the id is the portal's own. */
export const isInBox = ({ boxFileId }: StaffDocument): boolean => /^\d+$/.test(boxFileId ?? '')
