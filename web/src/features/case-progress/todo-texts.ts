import type { TodoItem } from '@guidon/contract/todo'
import { clockTimeOf, shortDate, weekdayOf } from '../../ui/dates.ts'

const JUST_NOW_MS = 60_000

/** When the records of the provider were last read. */
export function checkedText(at: string, now = Date.now()): string {
  // A clock that is behind the server's shows a time in the future.
  if (now - Date.parse(at) < JUST_NOW_MS) return 'Checked just now.'
  return `Checked at ${clockTimeOf(at, now)}.`
}

/** `On Wednesday, November 18` */
export const appointmentDay = (date: string): string =>
  `On ${[weekdayOf(date), shortDate(date)].filter(Boolean).join(', ')}`

/** Why the item is in the list, if the staff do not say. */
export function reasonOf({ kind, why }: TodoItem): string | undefined {
  if (why?.trim()) return why
  if (kind === 'unusableDocument') return 'We cannot use the copy we have.'
  if (kind === 'failedUpload') return 'We could not store the file you sent.'
  return undefined
}

/** Read to screen readers when the list changes by itself. */
export function changedText(count: number): string {
  if (count === 0) return 'Your to-do list has changed. Nothing is left to do.'
  return `Your to-do list has changed. It has ${count} ${count === 1 ? 'item' : 'items'}.`
}

/** The list without the intake, if it is done: the list from the server may be older. */
export const withoutDoneIntake = (
  items: readonly TodoItem[],
  intakeDone: boolean,
): readonly TodoItem[] => (intakeDone ? items.filter(({ kind }) => kind !== 'intake') : items)
