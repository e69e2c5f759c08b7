import { checkAuth } from '@guidon/contract/auth'
import type { Client } from 'pg'
import { READ_NAMES, READS } from './reads.ts'
import type { ReadName, Statements } from './reads.ts'
import { cookieOf } from './veterans.ts'

/** Asks PostgreSQL what the API asked it, so that the bare engine is given the very same texts. */
export async function statementsOf(base: string, sql: Client): Promise<Statements> {
  const session = await lastAfter(base + checkAuth.path, sql)
  const reads: Partial<Record<ReadName, string>> = {}
  for (const name of READ_NAMES) reads[name] = await lastAfter(base + READS[name].path, sql)
  return { session, reads: reads as Record<ReadName, string> }
}

/** The last statement of a call that somebody signed in makes. */
async function lastAfter(url: string, sql: Client): Promise<string> {
  const started = await sql.query<{ now: string }>('select clock_timestamp()::text as now')
  const answer = await fetch(url, { headers: { cookie: cookieOf(0) } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  const { rows } = await sql.query<{ query: string }>(
    `select query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query_start >= $1
       and query ilike '%select%' and query not like '%pgboss%'
     order by query_start desc limit 1`,
    [started.rows[0]!.now],
  )
  const [last] = rows
  if (last === undefined) throw new Error(`${url} asked PostgreSQL nothing`)
  return last.query
}
