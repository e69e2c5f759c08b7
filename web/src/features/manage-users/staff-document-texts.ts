import { notInCrmText } from '@guidon/contract/crm-refusals'
import { HAS_SCRIPTS, type StaffDocument } from '@guidon/contract/documents'
import { localDateTime } from '../../ui/dates.ts'
import type { ShownStatus } from '../../ui/document-status.ts'
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

/** The words for staff, if they differ from those for the veteran. */
const STAFF_TEXTS: Partial<Record<ShownStatus, string>> = {
  inRecords: 'In the records',
  notInRecords: 'Refused by Box',
}
const NOT_IN_SALESFORCE = {
  refused: 'Refused by Salesforce',
  blocked: 'Not in Salesforce yet',
  needsLink: 'Not in Salesforce yet',
  deleted: 'Deleted in Salesforce',
  moved: 'At another contact in Salesforce',
} as const

export function statusWords(
  { statusReason, notInCrm }: StaffDocument,
  status: ShownStatus,
): string | undefined {
  if (notInCrm) return NOT_IN_SALESFORCE[notInCrm.why]
  const reason = statusReason?.trim()
  return status === 'notUsable' && reason ? `Not usable: ${reason}` : STAFF_TEXTS[status]
}

const FILE_PROBLEMS = {
  noId: 'Salesforce has no ID of Box for this file',
  misplaced: 'Not in the Box folder of this veteran',
} as const
/** Why files are not in Salesforce, each reason once. */
export const notInCrmTexts = (documents: readonly StaffDocument[]): string[] => [
  ...new Set(documents.flatMap(({ notInCrm }) => (notInCrm ? [notInCrmText(notInCrm)] : []))),
]

/** What follows the status. */
export const factsText = ({ type, hasScripts, fileProblem }: StaffDocument): string =>
  [type, hasScripts && HAS_SCRIPTS, fileProblem && FILE_PROBLEMS[fileProblem]]
    .filter(Boolean)
    .join(' · ')

/** Until Box has the file, the id is the portal's own. The status is null if Box refused the file. */
export function boxText({ boxFileId, status, fileProblem }: StaffDocument): string {
  if (fileProblem === 'noId') return 'No ID'
  if (/^\d+$/.test(boxFileId ?? '')) return boxFileId!
  return status === null ? 'Not yet' : 'On its way'
}
