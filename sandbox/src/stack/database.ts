import { startPostgres } from '../postgres.ts'
import type { Postgres } from '../postgres.ts'
import { queryOnce } from '../postgres/query.ts'
import { UserError } from '../user-error.ts'
import type { StackOptions } from './options.ts'

const DATABASE = 'guidon'

interface OpenDatabase {
  /** Undefined for an existing database. */
  postgres: Postgres | undefined
  databaseUrl: string
}

export async function openDatabase(
  options: Pick<StackOptions, 'databaseUrl' | 'durable' | 'ports' | 'onUnexpectedExit'>,
  dataDir: string,
  parts: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const { databaseUrl, durable = false, ports = {}, onUnexpectedExit } = options
  if (databaseUrl !== undefined) return { postgres: undefined, databaseUrl }
  const postgres = await startPostgres({ dataDir, port: ports.postgres ?? 0, durable })
  let stopping = false
  parts.defer(() => {
    stopping = true
    return postgres.stop()
  })
  void postgres.exited.then((how) =>
    stopping ? undefined : onUnexpectedExit?.('postgres', how, postgres.lastLines()),
  )
  const url = new URL(postgres.url)
  url.pathname = `/${DATABASE}`
  const find = 'SELECT datname FROM pg_database WHERE datname = $1'
  const exists = (await queryOnce(postgres.url, find, [DATABASE])).length > 0
  return { postgres, databaseUrl: exists ? url.href : await postgres.createDatabase(DATABASE) }
}

/** Throws a plain message, without the password, if the database does not accept connections. */
export async function checkReachable(databaseUrl: string): Promise<void> {
  try {
    await queryOnce(databaseUrl, 'SELECT 1')
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw new UserError(
      `PostgreSQL at DATABASE_URL does not accept connections: ${message || code}. ` +
        'Correct DATABASE_URL, or unset it to use the PostgreSQL that comes with npm ci.',
    )
  }
}
