import type { CrmDocumentStatus } from '@guidon/contract/documents'
import type { NoticeKind } from '@guidon/contract/notices'

/** What a notice can be about, and the switch that turns it off. */
export const EVENTS = {
  documentRequested: 'documentRequested',
  documentDueIn7Days: 'documentRequested',
  documentDueIn2Days: 'documentRequested',
  documentOverdue: 'documentRequested',
  documentReviewed: 'documentReviewed',
  documentNotUsable: 'documentReviewed',
  appointmentSet: 'appointment',
  appointmentMoved: 'appointment',
  appointmentCancelled: 'appointment',
  appointmentIn7Days: 'appointment',
  appointmentTomorrow: 'appointment',
  claimStep: 'claimStep',
  caseManager: 'caseManager',
  intakeDay3: 'intake',
  intakeDay6: 'intake',
} as const satisfies Record<string, NoticeKind>
export type NoticeEvent = keyof typeof EVENTS

/** Made by the clock; all others are made by a change. */
const REMINDERS: ReadonlySet<NoticeEvent> = new Set<NoticeEvent>([
  'documentDueIn7Days',
  'documentDueIn2Days',
  'documentOverdue',
  'appointmentIn7Days',
  'appointmentTomorrow',
  'intakeDay3',
  'intakeDay6',
])
const ALL_EVENTS = Object.keys(EVENTS) as NoticeEvent[]
export const CHANGE_EVENTS = ALL_EVENTS.filter((event) => !REMINDERS.has(event))

/** The values that notices depend on, for each kind of CRM row. Null: there is no such row, or it no longer counts. */
export interface Facts {
  document: { isRequested: boolean; status: CrmDocumentStatus | null } | null
  appointment: { date: string; time: string } | null
  claim: { stage: string } | null
  contact: { manager: string | null } | null
}
export type FactKind = keyof Facts

type Decide<Fact> = (before: Fact, after: Fact) => NoticeEvent | undefined

/** `before` is what the veteran knows: what the last notice said, or how the row was before it changed. */
const TABLE: { [K in FactKind]: Decide<Facts[K]> } = {
  document: (before, after) => {
    if (!after) return undefined
    if (after.status !== before?.status) {
      if (after.status === 'notUsable') return 'documentNotUsable'
      // Nobody waits for a review of a document that they never saw.
      if (after.status === 'reviewed') return before ? 'documentReviewed' : undefined
    }
    return after.isRequested && !before?.isRequested ? 'documentRequested' : undefined
  },
  appointment: (before, after) => {
    if (!before) return after ? 'appointmentSet' : undefined
    if (!after) return 'appointmentCancelled'
    const isSame = before.date === after.date && before.time === after.time
    return isSame ? undefined : 'appointmentMoved'
  },
  // A new claim is in its first step because the veteran has just made it.
  claim: (before, after) =>
    before && after && before.stage !== after.stage ? 'claimStep' : undefined,
  contact: (before, after) =>
    after?.manager && after.manager !== before?.manager ? 'caseManager' : undefined,
}

/** The notice that a change leads to, or none. */
export function decide<K extends FactKind>(
  kind: K,
  before: Facts[K],
  after: Facts[K],
): NoticeEvent | undefined {
  return TABLE[kind](before, after)
}
