import type { Pool } from 'pg'
import { OperatorError } from '../platform/operator-error.ts'
import { NotReady } from '../platform/readiness.ts'
import { APP_ROLE } from './database.ts'

interface ServerState {
  isReadOnly: boolean
  role: string
  hasNoTimeout: boolean
}

const STATE = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
  current_user as role, current_setting('statement_timeout') = '0' as "hasNoTimeout"`

/** A connection that fails the check is closed, because its server does not become usable again soon. */
async function withState(pool: Pool, check: (state: ServerState) => void): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<ServerState>(STATE)
    check(rows[0]!)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
}

const requireWritable = ({ isReadOnly }: ServerState) => {
  if (isReadOnly) throw new NotReady('the database is read-only: a standby, or a former primary')
}

/** Throws unless the server accepts writes. */
export const requirePrimary = (pool: Pool): Promise<void> => withState(pool, requireWritable)

/** Also throws if the connection has other rights than the application's role. */
export const requireUsable = (pool: Pool): Promise<void> =>
  withState(pool, (state) => {
    requireWritable(state)
    if (state.role !== APP_ROLE) throw new NotReady(`the role is not ${APP_ROLE}`)
  })

/**
 * A connection pooler drops what a client requests when it connects. Without the role, a process could change the audit
 * log; without the timeouts, it could wait forever.
 */
export const requireAppRole = (pool: Pool): Promise<void> =>
  withState(pool, ({ role, hasNoTimeout }) => {
    if (role === APP_ROLE && !hasNoTimeout) return
    const found = role === APP_ROLE ? 'no statement_timeout' : `the role ${role}, not ${APP_ROLE}`
    throw new OperatorError(
      `The connections of DATABASE_URL have ${found}. A pooler must set both, as connect_query in deploy/ha/pgbouncer.ini does.`,
    )
  })
