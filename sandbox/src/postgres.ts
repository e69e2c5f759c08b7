import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeIdentifier } from 'pg'
import { freePort } from './free-port.ts'
import { postgresBinaries } from './postgres/binaries.ts'
import { clusterHome, openCluster } from './postgres/cluster.ts'
import { postgresUser } from './postgres/os-user.ts'
import { takeOwnership } from './postgres/ownership.ts'
import { queryOnce } from './postgres/query.ts'
import { PostgresDidNotStart, startServer } from './postgres/server.ts'
import type { Server } from './postgres/server.ts'

const START_ATTEMPTS = 10
const RETRY_MS = 200

interface PostgresOptions {
  /** Created if missing; a later start uses the data of an earlier one. */
  dataDir: string
  /** 0 or none: any free port. */
  port?: number
  /** False is faster, but data may be lost when the machine crashes: for tests. */
  durable: boolean
  /** More variables for the server. */
  env?: Record<string, string>
}

export interface Postgres {
  /** Superuser, database `postgres`. */
  url: string
  port: number
  /** Settles when the server ends for any reason, and says how. */
  exited: Promise<string>
  /** The last lines of the server's log. */
  lastLines(): string
  stop(): Promise<void>
  /** Ends the server as a crash does; a later start in the same folder recovers the data. */
  kill(): Promise<void>
  createDatabase(name: string, template?: string): Promise<string>
  dropDatabase(name: string): Promise<void>
}

/** A real PostgreSQL 18 on 127.0.0.1, for development and tests. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, durable } = options
  const home = clusterHome(dataDir, postgresUser(join(dataDir, 'cluster')))
  const user = postgresUser(join(home, 'cluster'))
  const ownership = await takeOwnership(home, join(home, 'cluster'))
  try {
    const binaries = postgresBinaries(user)
    const { data, password } = openCluster(home, binaries, user, durable)
    const { server, port } = await startOnPort(options.port ?? 0, (candidate) =>
      startServer(binaries, data, candidate, durable, user, options.env),
    )
    const urlOf = (database: string) =>
      `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
    let ended: Promise<void> | undefined
    const end = async (how: 'stop' | 'kill') => {
      await server[how]()
      ownership.release()
    }
    const run = (sql: string) => queryOnce(urlOf('postgres'), sql)
    return {
      url: urlOf('postgres'),
      port,
      exited: server.exited,
      lastLines: server.lastLines,
      // Once only: later, another process may own the data.
      stop: () => (ended ??= end('stop')),
      kill: () => (ended ??= end('kill')),
      async createDatabase(name, template = 'template1') {
        const [database, source] = [name, template].map(escapeIdentifier)
        await run(`CREATE DATABASE ${database} TEMPLATE ${source}`)
        return urlOf(name)
      },
      async dropDatabase(name) {
        await run(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`)
      },
    }
  } catch (error) {
    ownership.release()
    throw error
  }
}

async function startOnPort(
  requested: number,
  start: (port: number) => Promise<Server>,
): Promise<{ server: Server; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = requested === 0 ? await freePort() : requested
    try {
      return { server: await start(port), port }
    } catch (error) {
      if (!(error instanceof PostgresDidNotStart) || attempt === START_ATTEMPTS) throw error
      // Another process can take a free port before PostgreSQL binds it.
      const canRetry =
        error.reason === 'still-ending' || (error.reason === 'port-taken' && requested === 0)
      if (!canRetry) throw error
      await delay(RETRY_MS)
    }
  }
}
