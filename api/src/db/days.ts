import { dayOf, startOfDay } from '../platform/tokens.ts'
import { firstUuidAt, uuidAt } from '../platform/uuid.ts'

/** An id for a row of a table that has a partition for each day, and its time. The row's token must name that day. */
export function newDatedId(): { id: string; at: number } {
  const at = Date.now()
  return { id: uuidAt(at), at }
}

/** An id for the row of this token, which names its day. */
export function idForToken(token: string): string {
  const day = dayOf(token)
  if (day === undefined) throw new Error('a token without a day')
  return uuidAt(Math.min(Math.max(Date.now(), startOfDay(day)), startOfDay(day + 1) - 1))
}

/** SQL for the rows of one day: PostgreSQL then plans for one partition only. */
export function isOnDay(table: string, day: number | undefined): string {
  if (day === undefined) return 'false'
  const [low, high] = [day, day + 1].map((each) => firstUuidAt(startOfDay(each)))
  return `${table}.id >= '${low}' and ${table}.id < '${high}'`
}
