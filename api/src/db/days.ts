import { startOfDay } from '../platform/tokens.ts'
import { firstUuidAt, uuidAt } from '../platform/uuid.ts'

/** An id for a row of a table that has a partition for each day, and its time. The row's token must name that day. */
export function newDatedId(): { id: string; at: number } {
  const at = Date.now()
  return { id: uuidAt(at), at }
}

/** An id for a row whose token names this day; of now if it names none. */
export function idOnDay(day: number | undefined): string {
  const now = Date.now()
  if (day === undefined) return uuidAt(now)
  return uuidAt(Math.min(Math.max(now, startOfDay(day)), startOfDay(day + 1) - 1))
}

/** SQL for the rows of one day: PostgreSQL then plans for one partition only. */
export function isOnDay(table: string, day: number | undefined): string {
  if (day === undefined) return 'true'
  const [low, high] = [day, day + 1].map((each) => firstUuidAt(startOfDay(each)))
  return `${table}.id >= '${low}' and ${table}.id < '${high}'`
}
