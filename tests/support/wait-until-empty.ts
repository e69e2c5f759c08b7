import { vi } from 'vitest'
import type { Sql } from './databases.ts'

/** What the file store or the CRM does not have yet. */
export const UNSENT = `select from uploads where stored_at is null
  union all select from crm_outbox where sent_at is null`

interface Wait {
  values?: unknown[]
  timeout: number
  interval?: number
}

/** Waits until a query returns no rows. */
export const waitUntilEmpty = (sql: Sql, query: string, { values = [], ...wait }: Wait) =>
  vi.waitUntil(async () => (await sql.query(query, values)).rowCount === 0, {
    interval: 200,
    ...wait,
  })
