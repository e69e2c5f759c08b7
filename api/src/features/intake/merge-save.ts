import { randomUUID } from 'node:crypto'
import type { EditTimes, EntryName, IntakeSave } from '@guidon/contract/intake'
import { shouldReplace, withHistory, timedEdit } from '@guidon/contract/intake-merge'
import type { Edit } from '@guidon/contract/intake-merge'

interface StoredEdit extends Edit {
  /** When the server received it. */
  at: number
  /** The clock of the device; only pages of an older release send it. */
  deviceTime?: number
}
export type StoredEdits = Partial<Record<EntryName, StoredEdit>>

interface NewEdit extends Edit {
  deviceTime?: number
}

/** How long a slow save may take. Times of devices are compared only within it. */
const SLOW_SAVE_MS = 60_000

/** Returns the entries of a save that change something, and the edits to store. */
export function mergeSave(
  save: IntakeSave,
  stored: StoredEdits,
  now: number,
): { values: Partial<IntakeSave>; edits: StoredEdits } {
  const { edits = {}, editedAt = {}, submit: _submit, failures: _failures, ...values } = save
  const changed = (Object.keys(values) as EntryName[]).flatMap((name) => {
    const edit: NewEdit = edits[name] ?? editByTime(editedAt[name]) ?? editWithNewId()
    const before = stored[name]
    if (!shouldReplace(before, edit) || isOlderByDevice(before, edit, now)) return []
    const { deviceTime } = edit
    const toStore = {
      ...withHistory(before, edit),
      at: now,
      ...(deviceTime !== undefined && { deviceTime }),
    }
    return [{ name, value: values[name], edit: toStore }]
  })
  return {
    values: Object.fromEntries(changed.map(({ name, value }) => [name, value])),
    edits: { ...stored, ...Object.fromEntries(changed.map(({ name, edit }) => [name, edit])) },
  }
}

const editByTime = (time: number | undefined): NewEdit | undefined =>
  time === undefined ? undefined : { ...timedEdit(time), deviceTime: time }

const editWithNewId = (): NewEdit => ({
  id: randomUUID().replaceAll('-', '').slice(0, 16),
  over: [],
})

/**
 * A page of an older release does not say which edits its own replaces, so a slow save is recognized by its time.
 * Times are compared only shortly after the stored edit, and only if that one is not in the future.
 */
function isOlderByDevice(
  stored: StoredEdit | undefined,
  { deviceTime }: NewEdit,
  now: number,
): boolean {
  if (stored?.deviceTime === undefined || deviceTime === undefined) return false
  const isComparable = now - stored.at < SLOW_SAVE_MS && stored.deviceTime <= now
  return isComparable && deviceTime < stored.deviceTime
}

/** The edits of a draft that an older release stored with times only. The times may be wrong. */
export function editsOfTimes(times: EditTimes): StoredEdits {
  const entries = Object.entries(times).filter(([, time]) => time !== undefined)
  return Object.fromEntries(entries.map(([name, time]) => [name, { ...timedEdit(time!), at: 0 }]))
}

/** The times that pages and processes of an older release read; none is in the future. */
export function timesOfEdits(edits: StoredEdits, now: number): EditTimes {
  const times = Object.entries(edits).map(([name, { id, at, deviceTime }]) => {
    const time = deviceTime ?? (at || Number(/^t:(\d+)$/.exec(id)?.[1] ?? 0))
    return [name, Math.min(time, now)]
  })
  return Object.fromEntries(times)
}
