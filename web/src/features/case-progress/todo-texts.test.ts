import type { TodoItem } from '@guidon/contract/todo'
import { expect, it } from 'vitest'
import { appointmentDay, changedText, checkedText, currentItems, reasonOf } from './todo-texts.ts'

const NOW = new Date(2026, 10, 16, 9, 13).getTime()
const before = (ms: number) => new Date(NOW - ms).toISOString()
const MINUTE = 60_000

it.each([
  ['within a minute', before(59_000), /^Checked just now\.$/],
  ['by a clock that is behind', before(-MINUTE), /^Checked just now\.$/],
  ['on the same day', before(MINUTE), /^Checked at 9:12\sAM\s\S+\.$/],
  ['on an earlier day', before(24 * 60 * MINUTE), /^Checked at November 15, 9:13\sAM\s\S+\.$/],
])('says when the records were last read: %s', (_, at, text) => {
  expect(checkedText(at, NOW)).toMatch(text)
})

it('names the weekday of an appointment', () => {
  expect(appointmentDay('2099-11-18')).toBe('On Wednesday, November 18, 2099')
  expect(appointmentDay('soon')).toBe('On soon')
})

const item: TodoItem = { kind: 'unusableDocument', id: 'd1', subject: 'A', due: null, why: null }

it('gives a reason of its own only where the staff give none', () => {
  expect(reasonOf({ ...item, why: 'Page 2 is cut off.' })).toBe('Page 2 is cut off.')
  expect(reasonOf({ ...item, why: ' ' })).toBe('We cannot use the copy we have.')
  expect(reasonOf({ ...item, kind: 'failedUpload' })).toBe(
    'We have the file you sent, but could not add it to your records. Sending it again may help.',
  )
  expect(reasonOf({ ...item, kind: 'requestedDocument' })).toBeUndefined()
})

it('says how long the list is after a change', () => {
  expect([0, 1, 2].map((count) => changedText(count))).toEqual([
    'Your to-do list has changed. Nothing is left to do.',
    'Your to-do list has changed. It has 1 item.',
    'Your to-do list has changed. It has 2 items.',
  ])
})

it('leaves out appointments of earlier days, but no document', () => {
  const due = ['2026-11-15', '2026-11-16', null]
  const on = (day: string | null): TodoItem => ({ ...item, kind: 'appointment', due: day })
  const appointments = due.map((day) => on(day))
  const overdue: TodoItem = { ...item, kind: 'overdueDocument', due: '2026-11-15' }
  expect(currentItems([overdue, ...appointments], false, NOW)).toEqual([
    overdue,
    ...appointments.slice(1),
  ])
})
