import { Client } from 'pg'
import { startPostgres } from '../postgres.ts'
import type { Postgres } from '../postgres.ts'

const DATABASE = 'guidon'

interface DatabasePlan {
  /** An existing database; without it a PostgreSQL of our own is started. */
  databaseUrl?: string | undefined
  durable?: boolean
  ports?: { postgres?: number }
  onDeath?: (name: string, how: string, lastLines: string) => void
}

interface OpenDatabase {
  /** None when the database was given. */
  postgres: Postgres | undefined
  databaseUrl: string
}

export async function openDatabase(
  options: DatabasePlan,
  dataDir: string,
  parts: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const { databaseUrl, durable = false, ports = {}, onDeath } = options
  if (databaseUrl !== undefined) return { postgres: undefined, databaseUrl }
  const postgres = await startPostgres({ dataDir, port: ports.postgres ?? 0, durable })
  let stopping = false
  parts.defer(() => {
    stopping = true
    return postgres.stop()
  })
  void postgres.exited.then((how) =>
    stopping ? undefined : onDeath?.('postgres', how, postgres.lastLines()),
  )
  const url = new URL(postgres.url)
  url.pathname = `/${DATABASE}`
  const exists = await has(postgres.url, DATABASE)
  return { postgres, databaseUrl: exists ? url.href : await postgres.createDatabase(DATABASE) }
}

async function has(url: string, name: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    return rowCount === 1
  } finally {
    await client.end()
  }
}
