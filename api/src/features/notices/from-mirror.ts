import { isDeepStrictEqual } from 'node:util'
import type { OnChanges } from '../../crm/mirror/store-rows.ts'
import { decide, EVENTS } from './decide.ts'
import { hasNotices, transitionOf } from './facts.ts'
import type { Transition } from './facts.ts'
import { addNotices, openNotices, readingState, voidNotices } from './notices.sql.ts'
import type { NewNotice, OpenNotice } from './notices.sql.ts'
import type { Now } from './time.ts'
import { timesByState } from './zones.ts'

/** How long a notice waits: changes within it go into one email, and a change that is undone is not sent. */
const HOLD_MINUTES = 10
/** An older change, such as one that is read late after an outage, causes no notice. */
const NOTICE_MAX_AGE_HOURS = 24

/**
 * Turns changes of the mirror into notices, with a fixed number of statements for a page of rows. `now` replaces the
 * time of the database in tests.
 */
export function noticesFromMirror(now?: Now): OnChanges {
  return async (tx, kind, changes) => {
    if (!hasNotices(kind)) return
    const reading = await readingState(tx, kind)
    // Rows of the first load are not changes.
    if (reading.isFirstLoad) return
    const context = { now: (await now?.(tx)) ?? reading.now, isRereading: reading.isRereading }
    const transitions = changes.flatMap((change) => transitionOf(kind, change, context) ?? [])
    if (transitions.length === 0) return
    const open = await openNotices(
      tx,
      transitions.map(({ subjectId }) => subjectId),
    )
    const { added, voided } = planNotices(transitions, open, context.now)
    if (voided.length > 0) await voidNotices(tx, voided, context.now)
    if (added.length > 0) {
      const heldUntil = new Date(context.now.getTime() + HOLD_MINUTES * 60_000)
      await addNotices(tx, added, timesByState(heldUntil), context.now)
    }
  }
}

/** Replaces notices that are not sent yet, so that an email has only the difference from what the veteran knew. */
function planNotices(
  transitions: readonly Transition[],
  open: ReadonlyMap<string, readonly OpenNotice[]>,
  now: Date,
): { added: NewNotice[]; voided: string[] } {
  const added: NewNotice[] = []
  const voided: string[] = []
  for (const transition of transitions) {
    const { kind, subjectId, contactId, modifiedAt, after } = transition
    const waiting = open.get(subjectId) ?? []
    const before = waiting[0] ? waiting[0].before : transition.before
    const event = isNews(transition, now)
      ? decide(kind, before as never, after as never)
      : undefined
    const isSame = (notice: OpenNotice) =>
      notice.event === event && isDeepStrictEqual(notice.after, after)
    voided.push(...waiting.filter((notice) => !isSame(notice)).map(({ id }) => id))
    if (!event || waiting.some(isSame)) continue
    const version = `${modifiedAt.toISOString()} ${JSON.stringify(after)}`
    const notice = { event, kind: EVENTS[event], subjectId, version, contactId, before, after }
    added.push({ ...notice, since: modifiedAt })
  }
  return { added, voided }
}

/** A row that moved from another contact is not new: staff merge contacts, which moves their rows. */
const isNews = ({ modifiedAt, isFromOtherContact }: Transition, now: Date) =>
  !isFromOtherContact && modifiedAt.getTime() > now.getTime() - NOTICE_MAX_AGE_HOURS * 3_600_000
