import { isDeepStrictEqual } from 'node:util'
import type { CrmDocumentStatus } from '@guidon/contract/documents'
import type { RowChange, Watched } from '../../crm/mirror/rows.sql.ts'
import type { Kind } from '../../crm/port.ts'
import type { FactKind, Facts } from './decide.ts'
import { wallClock } from './zones.ts'

/** A change of a row, as far as notices are about it. */
export interface Transition {
  kind: FactKind
  subjectId: string
  contactId: string
  modifiedAt: Date
  before: Facts[FactKind]
  after: Facts[FactKind]
  /** Whether the row belonged to another contact before. */
  isFromOtherContact: boolean
}

export interface Context {
  now: Date
  /** The mirror reads all rows again, because it did not read some fields before. */
  isRereading: boolean
}

const TO_FACT: { [K in FactKind]: (row: Watched, context: Context) => Facts[K] } = {
  document: ({ boxFileId, status }) => ({
    // Reviewed without a file: it came by another way.
    isRequested: boxFileId === null && status !== 'reviewed',
    status: status as CrmDocumentStatus | null,
  }),
  // One that may have begun counts as none. Its time zone is unknown, and it would begin first in the eastern one.
  appointment: ({ scheduled, date, time }, { now }) =>
    scheduled && `${String(date)}T${String(time)}` > wallClock(now, 'America/New_York')
      ? { date: String(date), time: String(time).slice(0, 5) }
      : null,
  claim: ({ stage }) => (stage ? { stage: String(stage) } : null),
  contact: ({ caseManagerId }) => ({ manager: caseManagerId as string | null }),
}

export const hasNotices = (kind: Kind): kind is Kind & FactKind => kind in TO_FACT

/** Undefined if nothing changed that notices are about. */
export function transitionOf(
  kind: FactKind,
  change: RowChange,
  context: Context,
): Transition | undefined {
  const ownerOf = (row: Watched | null) =>
    (kind === 'contact' ? change.id : row?.['contactId']) as string | null | undefined
  const oldOwner = ownerOf(change.before)
  const contactId = ownerOf(change.after) ?? oldOwner
  const factOf = (row: Watched | null) => (row && !row.deleted ? TO_FACT[kind](row, context) : null)
  const after = factOf(change.after)
  const before = assumedBefore(kind, change, context) ?? factOf(change.before)
  if (!contactId || isDeepStrictEqual(before, after)) return undefined
  const { id: subjectId, modifiedAt } = change
  const isFromOtherContact = Boolean(oldOwner) && oldOwner !== contactId
  return { kind, subjectId, contactId, modifiedAt, before, after, isFromOtherContact }
}

/** What the veteran knew of a document that the mirror did not know, or not wholly. */
function assumedBefore(
  kind: FactKind,
  { before, after }: RowChange,
  context: Context,
): Facts['document'] | undefined {
  if (kind !== 'document' || after.deleted) return undefined
  // Sent by the veteran, and changed by the staff before the mirror read it for the first time.
  if (!before && after['portalDocumentId'] !== null) return { isRequested: false, status: null }
  // The mirror may not have read the status before, so the status is not a change.
  if (before && before['status'] === null && context.isRereading) {
    return TO_FACT.document({ ...before, status: after['status'] ?? null }, context)
  }
  return undefined
}
