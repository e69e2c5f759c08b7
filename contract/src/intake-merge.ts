import { EDITS_REMEMBERED } from './limits.ts'

/** See `edits` in `intake.ts`. */
export interface Edit {
  id: string
  over: string[]
}

/** The edit of an answer that was known before anybody entered one; any other goes before it. */
export const PREFILLED = 't:0'

/** The edit of an entry that a page of an older release stamped with the time of its device. */
export const timedEdit = (deviceTime: number): Edit => ({ id: `t:${deviceTime}`, over: [] })

/** Whether an edit is one that the other was made after, or is the same one. */
export function isKnownTo(edit: Edit, other: Edit): boolean {
  return edit.id === other.id || other.over.includes(edit.id)
}

/**
 * Whether an arriving edit changes the entry. A repeat does not, nor does one that arrives after a
 * later one of the same tab. Of two that did not know each other, the one that arrives last stays.
 */
export function changes(stored: Edit | undefined, arriving: Edit): boolean {
  return !stored || (arriving.id !== PREFILLED && !isKnownTo(arriving, stored))
}

/** The arriving edit, with all that came before it; what was stored last is remembered longest. */
export function following(stored: Edit | undefined, { id, over }: Edit): Edit {
  const before = new Set([...(stored ? [stored.id] : []), ...over, ...(stored?.over ?? [])])
  before.delete(id)
  return { id, over: [...before].slice(0, EDITS_REMEMBERED) }
}
