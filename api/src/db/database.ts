import { createHash } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import type { RawBuilder, Transaction } from 'kysely'
import { Client, Pool } from 'pg'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>
export type Tx = Transaction<Schema>
/** A query runs on the pool or inside a transaction; the callee does not care which. */
export type Queryable = Database | Tx

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
  }
  return name
}

/**
 * Names every parametrised statement by its text, so that PostgreSQL plans it once a connection:
 * about twice the rate of unnamed ones. The texts are a fixed set, because lists go as `= any($1)`.
 */
class PreparingClient extends Client {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args
    const prepared =
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? [{ name: nameOf(text), text, values }, ...rest]
        : args
    return Reflect.apply(super.query, this, prepared) as never
  }
}

/** Made by the migrations: it may add to the audit log and read it, but not change it. */
export const APP_ROLE = 'guidon_app'
export const ROLE_OPTION = `-c role=${APP_ROLE}`

export interface DatabaseOptions {
  url: string
  size: number
  /** 0 for none: a migration may take as long as it takes. */
  statementTimeoutMs: number
  /** The migrations work as the owner of the tables, everything else under the application's role. */
  asOwner?: boolean
  onIdleError: (error: Error) => void
}

export function openPool({
  url,
  size,
  statementTimeoutMs,
  asOwner = false,
  onIdleError,
}: DatabaseOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    ...(asOwner ? {} : { options: ROLE_OPTION }),
    idle_in_transaction_session_timeout: 30_000,
    Client: PreparingClient,
  })
  // An idle connection that PostgreSQL closes is replaced at the next query; without a listener it ends the process.
  pool.on('error', onIdleError)
  // The same for one that is lost while in use: the query that it was lost to, or the next one, fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export function openDatabase(pool: Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** `minutesFromNow(10)` as SQL: the clock is PostgreSQL's, never a process's own. */
export function minutesFromNow(minutes: number): RawBuilder<Date> {
  return sql<Date>`now() + make_interval(mins => ${minutes})`
}

export const now = sql<Date>`now()`

/** Millions of rows take longer than a screen would wait; nobody waits here. */
export async function withoutStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
}

/** A statement of the hot path: its text is made once, because composing it anew costs more than the rest of a read. */
export function statement<Row>(text: string) {
  return async (db: Queryable, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows
  }
}

export async function rowsOf<Row>(db: Queryable, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows
}
