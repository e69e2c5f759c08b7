import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import { EVENTS } from './decide.ts'
import type { NoticeEvent } from './decide.ts'
import { addReminders, REMINDER_EVENTS } from './reminders.sql.ts'
import { databaseTime } from './time.ts'
import type { Now } from './time.ts'
import { timesByState } from './zones.ts'

/** Hourly: adds the reminders of the next day. Cheap, because indexes find the rows of a few days. */
export const remind = job({
  name: 'notices.remind',
  data: z.object({}).nullish(),
  options: { retryLimit: 3, retryDelay: 60, expireInSeconds: 1800 },
  every: '5 * * * *',
})

/** Returns the number of new reminders. If one event fails, the others are still added. */
export async function addDueReminders(
  db: Database,
  now: Now = databaseTime,
  signal?: AbortSignal,
): Promise<number> {
  const at = await now(db)
  const times = timesByState(at)
  const addAll = async (event: NoticeEvent) => {
    let total = 0
    const reminder = { event, kind: EVENTS[event], times, now: at }
    for (
      let page = await addReminders(db, reminder);
      page;
      page = await addReminders(db, reminder, page.after)
    ) {
      signal?.throwIfAborted()
      total += page.count
    }
    return total
  }
  let total = 0
  const failures: unknown[] = []
  for (const event of REMINDER_EVENTS) {
    try {
      total += await addAll(event)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return total
}

export function remindWork(db: Database, now: Now = databaseTime) {
  return work(remind, async (_, { signal }) => void (await addDueReminders(db, now, signal)))
}
