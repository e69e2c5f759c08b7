import { HAS_SCRIPTS, type StaffDocument } from '@guidon/contract/documents'
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

/** In the reader's own time zone, which is named. */
const moment = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** `November 15, 2026, 4:06 AM PST`; empty for a document without a file or a time. */
export function receivedText({ boxFileId, lastUploadedDate }: StaffDocument): string {
  const time = Date.parse(lastUploadedDate ?? '')
  return boxFileId && !Number.isNaN(time) ? moment.format(time).replace(' at ', ', ') : ''
}

/** Known for files that were uploaded through the portal. */
export const documentSize = ({ size }: StaffDocument): string =>
  size === null ? '' : sizeText(size)

export function statusText({ type, boxFileId, hasScripts }: StaffDocument): string {
  const note = hasScripts && HAS_SCRIPTS
  return [boxFileId ? 'Uploaded' : 'Requested', type, note].filter(Boolean).join(' · ')
}

/** Until Box has the file, the id is the portal's own. */
export const isInBox = ({ boxFileId }: StaffDocument): boolean => /^\d+$/.test(boxFileId ?? '')
