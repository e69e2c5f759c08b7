import { EDITS_REMEMBERED } from './limits.ts'

/** See `edits` in `intake.ts`. */
export interface Edit {
  id: string
  over: string[]
}

/** Id of the edit of a prefilled answer; every other edit overrides it. */
export const PREFILLED = 't:0'

/** The edit of an entry from an older release, which recorded the device's time only. */
export const timedEdit = (deviceTime: number): Edit => ({ id: `t:${deviceTime}`, over: [] })

/** Whether `other` is the same edit or was made after it. */
export function isKnownTo(edit: Edit, other: Edit): boolean {
  return edit.id === other.id || other.over.includes(edit.id)
}

/**
 * Whether an incoming edit changes the entry. A repeated edit does not, nor does one that a later edit
 * of the same tab has overtaken. Of two concurrent edits, the last to arrive wins.
 */
export function isOverriddenBy(stored: Edit | undefined, incoming: Edit): boolean {
  return !stored || (incoming.id !== PREFILLED && !isKnownTo(incoming, stored))
}

/** The incoming edit with the ids of its predecessors, the stored one first. */
export function withHistory(stored: Edit | undefined, { id, over }: Edit): Edit {
  const before = new Set([...(stored ? [stored.id] : []), ...over, ...(stored?.over ?? [])])
  before.delete(id)
  return { id, over: [...before].slice(0, EDITS_REMEMBERED) }
}
