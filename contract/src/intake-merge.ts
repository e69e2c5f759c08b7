import { EDIT_HISTORY_MAX } from './limits.ts'

/** The last change of an intake answer, or of the step at which the veteran is. */
export interface Edit {
  id: string
  /** Ids of the earlier edits that it replaces. */
  over: string[]
}

/** Id of the edit of a prefilled answer; every other edit replaces it. */
export const PREFILLED = 't:0'

/** An edit from an older release, which recorded only the device's time. */
export const timedEdit = (deviceTime: number): Edit => ({ id: `t:${deviceTime}`, over: [] })

/** Whether `edit` is the same as `other`, or was made before it. */
export function isSameOrEarlier(edit: Edit, other: Edit): boolean {
  return edit.id === other.id || other.over.includes(edit.id)
}

/**
 * Whether an incoming edit replaces the stored one. A repeated edit does not, and an edit that arrives after
 * its successor does not. Of two concurrent edits, the last to arrive wins.
 */
export function shouldReplace(stored: Edit | undefined, incoming: Edit): boolean {
  return !stored || (incoming.id !== PREFILLED && !isSameOrEarlier(incoming, stored))
}

/** Returns the incoming edit with the ids of all its predecessors, the stored one first. */
export function withHistory(stored: Edit | undefined, { id, over }: Edit): Edit {
  const predecessors = new Set([...(stored ? [stored.id] : []), ...over, ...(stored?.over ?? [])])
  predecessors.delete(id)
  return { id, over: [...predecessors].slice(0, EDIT_HISTORY_MAX) }
}
