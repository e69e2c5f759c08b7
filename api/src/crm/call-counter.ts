import type { Database } from '../db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Purpose } from './port.ts'
import { addCalls } from './usage.sql.ts'

const STORE_EVERY_MS = 10_000

/** Counts calls in memory and adds them to the day's row from time to time, not with each call. */
export function callCounter(db: Database, log: Log) {
  const unstored = new Map<Purpose, number>()
  const count = (purpose: Purpose, calls = 1) =>
    void unstored.set(purpose, (unstored.get(purpose) ?? 0) + calls)

  const store = async () => {
    const counts = [...unstored]
    unstored.clear()
    if (counts.length === 0) return
    try {
      await addCalls(db, counts)
    } catch (err) {
      for (const [purpose, calls] of counts) count(purpose, calls)
      log.warn({ err }, 'crm: calls not stored')
    }
  }

  const timer = setInterval(() => void store(), STORE_EVERY_MS)
  return {
    count: (purpose: Purpose) => count(purpose),
    close: async () => {
      clearInterval(timer)
      await store()
    },
  }
}
