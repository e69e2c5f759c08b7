import { expect, it } from 'vitest'
import { dueWords } from './due-words.ts'

const NOON = new Date(2026, 10, 16, 12).getTime()
const LATE = new Date(2026, 10, 16, 23, 59).getTime()

it.each([
  ['2026-12-03', 'By December 3', false],
  ['2027-01-05', 'By January 5, 2027', false],
  ['2026-11-16', 'Due today, November 16', false],
  ['2026-11-15', 'Overdue: it was due November 15', true],
  ['2025-11-15', 'Overdue: it was due November 15, 2025', true],
])('says of %s: %s', (due, words, overdue) => {
  expect(dueWords(due, NOON)).toEqual({ words, overdue })
})

it('is overdue only when the last day has ended for the reader', () => {
  expect(dueWords('2026-11-16', LATE).overdue).toBe(false)
  expect(dueWords('2026-11-16', LATE + 60_000).overdue).toBe(true)
})
