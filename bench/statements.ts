import { checkAuth } from '@guidon/contract/auth'
import type { Client } from 'pg'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName, Statements } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Reads from PostgreSQL which SQL the API sent, so that the baseline runs the same statements. */
export async function statementsOf(base: string, sql: Client): Promise<Statements> {
  const session = await lastAfter(base + checkAuth.path, sql)
  const reads: Partial<Record<ReadName, string>> = {}
  for (const name of READ_NAMES) reads[name] = await lastAfter(base + READS[name].path, sql)
  return { session, reads: reads as Record<ReadName, string> }
}

/** The last statement of an API call of a signed-in veteran. */
async function lastAfter(url: string, sql: Client): Promise<string> {
  const started = await sql.query<{ now: string }>('select clock_timestamp()::text as now')
  const response = await fetch(url, { headers: { cookie: cookieOf(0) } })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  const { rows } = await sql.query<{ query: string }>(
    `select query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query_start >= $1
       and query ilike '%select%' and query not like '%pgboss%'
     order by query_start desc limit 1`,
    [started.rows[0]!.now],
  )
  const [last] = rows
  if (last === undefined) throw new Error(`${url} sent no statement to PostgreSQL`)
  return last.query
}
