import { todoTitle, type TodoItem } from '@guidon/contract/todo'
import { clockTimeOf, localDayOf, shortDate, weekdayOf } from '../../ui/dates.ts'

const JUST_NOW_MS = 60_000

const FAILED_UPLOAD =
  'We have the file you sent, but could not add it to your records. Sending it again may help.'

/** When the records of the provider were last read. */
export function checkedText(at: string, now = Date.now()): string {
  // Also true if `at` is in the future, because the clock of this device is behind the server's.
  if (now - Date.parse(at) < JUST_NOW_MS) return 'Checked just now.'
  return `Checked at ${clockTimeOf(at, now)}.`
}

/** `On Wednesday, November 18` */
export const appointmentDay = (date: string): string =>
  `On ${[weekdayOf(date), shortDate(date)].filter(Boolean).join(', ')}`

/** Why the item is in the list: the words of the staff, or else a default text for some kinds. */
export function reasonOf({ kind, why }: TodoItem): string | undefined {
  if (why?.trim()) return why
  if (kind === 'unusableDocument') return 'We cannot use the copy we have.'
  if (kind === 'failedUpload') return FAILED_UPLOAD
  return undefined
}

/**
 * Read by screen readers when the list changes by itself. Names the changed item, because an equal text would not be
 * read again.
 */
export function changedText(count: number, changed?: TodoItem): string {
  if (count === 0) return 'Your to-do list has changed. Nothing is left to do.'
  const text = `Your to-do list has changed. It has ${count} ${count === 1 ? 'item' : 'items'}.`
  return changed ? `${text} New or changed: ${todoTitle(changed)}.` : text
}

/**
 * The list without the intake, if it is done, as the list from the server may be older, and without appointments before
 * today: the server lists them until their day has ended in Hawaii.
 */
export function currentItems(
  items: readonly TodoItem[],
  intakeDone: boolean,
  now = Date.now(),
): readonly TodoItem[] {
  const today = localDayOf(now)
  return items.filter(({ kind, due }) => {
    if (kind === 'intake') return !intakeDone
    return kind !== 'appointment' || due === null || due >= today
  })
}
