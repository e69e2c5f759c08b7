import { isDeepStrictEqual } from 'node:util'
import type { OnChanges } from '../../crm/mirror/store-rows.ts'
import { decide, EVENTS } from './decide.ts'
import { isFactKind, transitionOf } from './facts.ts'
import type { Transition } from './facts.ts'
import { addNotices, openNotices, readingState, voidNotices } from './notices.sql.ts'
import type { NewNotice, OpenNotice } from './notices.sql.ts'
import type { Now } from './time.ts'
import { timesByState } from './zones.ts'

/** Changes of this time are sent together, and those that are undone meanwhile are not sent. */
const HOLD_MINUTES = 10
/** What happened longer ago, such as during an outage, is not sent any more. */
const NEWS_HOURS = 24

/**
 * Turns changes of the mirror into notices, with a fixed number of statements for a page of rows. `now` replaces the
 * time of the database in tests.
 */
export function noticesFromMirror(now?: Now): OnChanges {
  return async (tx, kind, changes) => {
    if (!isFactKind(kind)) return
    const state = await readingState(tx, kind)
    // What the veteran sees first is no news.
    if (state.isFirstLoad) return
    const context = { now: (await now?.(tx)) ?? state.now, isRereading: state.isRereading }
    const transitions = changes.flatMap((change) => transitionOf(kind, change, context) ?? [])
    if (transitions.length === 0) return
    const open = await openNotices(
      tx,
      transitions.map(({ subjectId }) => subjectId),
    )
    const { added, voided } = resolve(transitions, open, context.now)
    if (voided.length > 0) await voidNotices(tx, voided, context.now)
    if (added.length > 0) {
      const heldUntil = new Date(context.now.getTime() + HOLD_MINUTES * 60_000)
      await addNotices(tx, added, timesByState(heldUntil), context.now)
    }
  }
}

/** A notice that was not sent yet is replaced: the veteran only learns what is different from what they knew. */
function resolve(
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

/** A row that came from another contact is old, if staff merged the two contacts. */
const isNews = ({ modifiedAt, isFromOther }: Transition, now: Date) =>
  !isFromOther && modifiedAt.getTime() > now.getTime() - NEWS_HOURS * 3_600_000
