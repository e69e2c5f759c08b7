import type { Kind, RowOf } from '../../../../api/src/crm/port.ts'

/** Rows of the CRM that change at random, and what the mirror has of them at each time. */

type State = Readonly<Record<string, unknown>> | null
export type SubjectKind = 'document' | 'appointment' | 'claim' | 'contact'

export interface Subject {
  kind: SubjectKind
  id: string
  contactId: string
  /** What is true of it, by the step of the clock. The first entry is the state before the first step. */
  history: { step: number; state: State }[]
  /** `modifiedAt` of the newest version that the mirror has stored. */
  storedModifiedAt: string
}

const pick = <T>(values: readonly T[], random: () => number): T =>
  values[Math.floor(random() * values.length)]!

const DATES = ['2026-12-01', '2026-12-02', '2026-12-03']
const TIMES = ['09:30', '14:00']
const MANAGERS = ['005A', '005B', null]
const FILE = { boxFileId: '1' }

/** The fields of a row and what they mean for a veteran. */
export function randomState(
  kind: SubjectKind,
  stages: readonly string[],
  random: () => number,
): { row: object; state: State } {
  switch (kind) {
    case 'document':
      return pick(
        [
          { row: { status: 'requested' }, state: { requested: true, status: 'requested' } },
          { row: { ...FILE, status: 'received' }, state: { requested: false, status: 'received' } },
          { row: { ...FILE, status: 'reviewed' }, state: { requested: false, status: 'reviewed' } },
          {
            row: { ...FILE, status: 'notUsable' },
            state: { requested: false, status: 'notUsable' },
          },
          { row: { deleted: true }, state: null },
        ],
        random,
      )
    case 'appointment': {
      const when = { date: pick(DATES, random), time: pick(TIMES, random) }
      const end = pick([{}, {}, {}, { scheduled: false }, { deleted: true }], random)
      return { row: { ...when, ...end }, state: Object.keys(end).length > 0 ? null : when }
    }
    case 'claim': {
      const stage = pick(stages, random)
      return { row: { stage }, state: { stage } }
    }
    case 'contact': {
      const manager = pick(MANAGERS, random)
      return { row: { caseManagerId: manager }, state: { manager } }
    }
  }
}

/** The states that were true at some moment of these steps. */
export function statesAt({ history }: Subject, from: number, until: number): State[] {
  const before = history.findLast(({ step }) => step < from)
  const during = history.filter(({ step }) => step >= from && step <= until)
  return [...(before ? [before] : []), ...during].map(({ state }) => state)
}

export type AnyRow = RowOf[Kind]
