import { createHash } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import type { RawBuilder, Transaction } from 'kysely'
import { Client, Pool } from 'pg'
import type { Schema } from './schema.ts'
import { isOfUselessConnection } from './unavailable.ts'

export type Database = Kysely<Schema>
export type Tx = Transaction<Schema>
export type Queryable = Database | Tx

const names = new Map<string, string>()

function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
  }
  return name
}

type Callback = (error: Error | undefined, ...rest: unknown[]) => void
const isCallback = (argument: unknown): argument is Callback => typeof argument === 'function'

/**
 * Ends a connection whose server has become a standby or does not respond, so that the pool opens another one. A
 * connection that breaks is removed by the pool itself.
 */
export class DatabaseClient extends Client {
  override query(...args: unknown[]): never {
    const callback = args.at(-1)
    const endIfUseless = (error: Error | undefined) => {
      if (error && isOfUselessConnection(error)) this.end(() => {})
    }
    if (isCallback(callback)) {
      args[args.length - 1] = (error: Error | undefined, ...rest: unknown[]) => {
        endIfUseless(error)
        callback(error, ...rest)
      }
    }
    const result: unknown = Reflect.apply(super.query, this, args)
    if (result instanceof Promise) result.catch(endIfUseless)
    return result as never
  }
}

/**
 * Prepares every statement with parameters under a name made from its text, which doubles the query rate.
 * The number of texts is fixed, because lists are passed as `= any($1)`.
 */
class PreparingClient extends DatabaseClient {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args
    const prepared =
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? [{ name: statementName(text), text, values }, ...rest]
        : args
    return Reflect.apply(super.query, this, prepared)
  }
}

/** The migrations create this role; it may append to the audit log but not change it. */
export const APP_ROLE = 'guidon_app'
export const ROLE_OPTION = `-c role=${APP_ROLE}`

export interface DatabaseOptions {
  url: string
  size: number
  /** 0 means none, for migrations. */
  statementTimeoutMs: number
  /** The server cannot enforce `statementTimeoutMs` while it hangs; without this one, a query then waits forever. */
  responseTimeoutMs?: number
  /** Only migrations run as the tables' owner; everything else uses `APP_ROLE`. */
  asOwner?: boolean
  onIdleError: (error: Error) => void
}

export function openPool({
  url,
  size,
  statementTimeoutMs,
  responseTimeoutMs,
  asOwner = false,
  onIdleError,
}: DatabaseOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    ...(responseTimeoutMs && { query_timeout: responseTimeoutMs }),
    ...(asOwner ? {} : { options: ROLE_OPTION }),
    idle_in_transaction_session_timeout: 30_000,
    // Notices a server that disappeared without closing its connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    Client: PreparingClient,
  })
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', onIdleError)
  // The same for a connection in use; its query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export function openDatabase(pool: Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** Uses PostgreSQL's clock, because the clocks of the processes may differ. */
export function minutesFromNow(minutes: number): RawBuilder<Date> {
  return sql<Date>`now() + make_interval(mins => ${minutes})`
}

export const now = sql<Date>`now()`

/** For statements over millions of rows that no request waits for. */
export async function withoutStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
}

/** For hot paths: building the text for each call would cost more than the rest of a read. */
export function statement<Row>(text: string) {
  return async (db: Queryable, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows
  }
}

export async function rowsOf<Row>(db: Queryable, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows
}
