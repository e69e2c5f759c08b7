import { vi } from 'vitest'
import type { Sql } from '../../../support/databases.ts'
import { smallOrFull } from '../../size.ts'

/** The same effect twice is listed twice. */
interface Effects {
  found: string[]
  expected: string[]
}

/** How the jobs of one queue come about, and what they must have done, however often they are delivered. */
export type QueueCase = {
  /** Makes the product, or the test in place of its schedule, send jobs of this queue. */
  cause(): Promise<unknown>
  /** Before the second delivery: removes what the worker recorded last, as if it had been killed before that. */
  undo?(): Promise<unknown>
} & ({ effects(): Promise<Effects> } | { noEffect: string })

/** What `all` has more often than `others`. */
export function surplus(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return all.filter((each) => {
    const at = left.indexOf(each)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const PRODUCT_QUEUES = `name not like '%.dead' and name not like '\\_\\_%'`
const fromUnfinishedJobs = `from pgboss.job where state in ('created', 'retry', 'active')
  and ${PRODUCT_QUEUES}`

/** Waits until all jobs are done and all entries sent. Skips delays between tries and rounds, and before a receipt. */
export const waitUntilDone = (sql: Sql) =>
  vi.waitUntil(
    async () => {
      await sql.query(
        `update pgboss.job set start_after = now() where (name, id) in (
           select name, id ${fromUnfinishedJobs} and start_after > now() for update skip locked)`,
      )
      await sql.query('update crm_outbox set retry_at = null where retry_at > now()')
      await sql.query('update crm_sender set next_round_at = now() where next_round_at > now()')
      const { rowCount: jobs } = await sql.query(`select ${fromUnfinishedJobs}`)
      const { rowCount: entries } = await sql.query('select from crm_outbox where sent_at is null')
      return jobs === 0 && entries === 0
    },
    { timeout: smallOrFull(60_000, 300_000), interval: 100 },
  )

/** Without the schedules, only the test makes their jobs. Call it before the worker starts. */
export const deleteSchedules = (sql: Sql) => sql.query('delete from pgboss.schedule')

interface DeliveredJob {
  id: string
  name: string
}

/** Delivers every completed job again, in a random order. */
export async function redeliver(sql: Sql): Promise<DeliveredJob[]> {
  const { rows } = await sql.query<DeliveredJob>(
    `update pgboss.job set state = 'created', started_on = null, completed_on = null, output = null,
       priority = floor(random() * 100)
     where state = 'completed' and ${PRODUCT_QUEUES} returning id, name`,
  )
  return rows
}

/** Those of the jobs that a worker has started since `redeliver`. */
export async function deliveredAgain(
  sql: Sql,
  jobs: readonly DeliveredJob[],
): Promise<DeliveredJob[]> {
  const { rows } = await sql.query<DeliveredJob>(
    'select id, name from pgboss.job where id = any($1::uuid[]) and started_on is not null',
    [jobs.map(({ id }) => id)],
  )
  return rows
}
