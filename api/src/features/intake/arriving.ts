import { randomUUID } from 'node:crypto'
import type { EditTimes, EntryName, IntakeSave } from '@guidon/contract/intake'
import { shouldReplace, withHistory, timedEdit } from '@guidon/contract/intake-merge'
import type { Edit } from '@guidon/contract/intake-merge'

/** The last change of an entry as it is stored. */
export interface StoredEdit extends Edit {
  /** When it arrived, by the clock of the server. */
  at: number
  /** By the clock of the device, from a page of an older release. */
  deviceTime?: number
}
export type StoredEdits = Partial<Record<EntryName, StoredEdit>>

interface Arriving extends Edit {
  deviceTime?: number
}

/** As long as a save of an older page may be under way; only then its device's clock is asked. */
const UNDER_WAY_MS = 60_000

/** The entries of a save that change something, and all edits as they are from now on. */
export function arrivingEntries(
  save: IntakeSave,
  stored: StoredEdits,
  now: number,
): { values: Partial<IntakeSave>; edits: StoredEdits } {
  const { edits = {}, editedAt = {}, submit: _, ...values } = save
  const news = (Object.keys(values) as EntryName[]).flatMap((name) => {
    const arriving: Arriving = edits[name] ?? timed(editedAt[name]) ?? unnamed()
    const before = stored[name]
    if (!shouldReplace(before, arriving) || isOlderByDevice(before, arriving, now)) return []
    const { deviceTime } = arriving
    const edit = {
      ...withHistory(before, arriving),
      at: now,
      ...(deviceTime !== undefined && { deviceTime }),
    }
    return [{ name, value: values[name], edit }]
  })
  return {
    values: Object.fromEntries(news.map(({ name, value }) => [name, value])),
    edits: { ...stored, ...Object.fromEntries(news.map(({ name, edit }) => [name, edit])) },
  }
}

const timed = (time: number | undefined): Arriving | undefined =>
  time === undefined ? undefined : { ...timedEdit(time), deviceTime: time }

/** Entered when it arrives. */
const unnamed = (): Arriving => ({ id: randomUUID().replaceAll('-', '').slice(0, 16), over: [] })

/**
 * A page of an older release names no edits that its own came after, so a slow save of it is known by
 * its time alone. That is asked only shortly after the other save, and never of a time in the future.
 */
function isOlderByDevice(
  stored: StoredEdit | undefined,
  { deviceTime }: Arriving,
  now: number,
): boolean {
  if (stored?.deviceTime === undefined || deviceTime === undefined) return false
  const asked = now - stored.at < UNDER_WAY_MS && stored.deviceTime <= now
  return asked && deviceTime < stored.deviceTime
}

/** Edits of a draft that an older release stored with times only; these may be wrong in any way. */
export function editsOfTimes(times: EditTimes): StoredEdits {
  const entries = Object.entries(times).filter(([, time]) => time !== undefined)
  return Object.fromEntries(entries.map(([name, time]) => [name, { ...timedEdit(time!), at: 0 }]))
}

/** Times for pages and processes of an older release, never later than now. */
export function timesOfEdits(edits: StoredEdits, now: number): EditTimes {
  const times = Object.entries(edits).map(([name, { id, at, deviceTime }]) => {
    const time = deviceTime ?? (at || Number(/^t:(\d+)$/.exec(id)?.[1] ?? 0))
    return [name, Math.min(time, now)]
  })
  return Object.fromEntries(times)
}
