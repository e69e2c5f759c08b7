import { checkAuth } from '@guidon/contract/auth'
import type { Client } from 'pg'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName, Statements } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Asks PostgreSQL which statements the API sent, so that the baseline runs the same ones. */
export async function statementsOf(base: string, sql: Client): Promise<Statements> {
  const session = await lastStatementOf(base + checkAuth.path, sql)
  const reads: Partial<Record<ReadName, string>> = {}
  for (const name of READ_NAMES) reads[name] = await lastStatementOf(base + READS[name].path, sql)
  return { session, reads: reads as Record<ReadName, string> }
}

/** Calls the API as a signed-in veteran, and returns the last statement of that call. */
export async function lastStatementOf(
  url: string,
  sql: Client,
  cookie = cookieOf(0),
): Promise<string> {
  const started = await sql.query<{ now: string }>('select clock_timestamp()::text as now')
  const response = await fetch(url, { headers: { cookie } })
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
