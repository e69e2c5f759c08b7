import { localDayOf, shortDate } from './dates.ts'

export interface DueWords {
  words: string
  overdue: boolean
}

/** `By December 3` or `Overdue: it was due November 12`, for the last day (yyyy-mm-dd) on which something can be sent. */
export function dueWords(due: string, now = Date.now()): DueWords {
  const today = localDayOf(now)
  const day = shortDate(due, today)
  if (due < today) return { words: `Overdue: it was due ${day}`, overdue: true }
  return { words: due === today ? `Due today, ${day}` : `By ${day}`, overdue: false }
}
