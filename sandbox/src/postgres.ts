import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { freePort } from './free-port.ts'
import { postgresBinaries } from './postgres/binaries.ts'
import { clusterHome, openCluster } from './postgres/cluster.ts'
import { postgresUser } from './postgres/os-user.ts'
import { takeOwnership } from './postgres/ownership.ts'
import { PostgresDidNotStart, startServer } from './postgres/server.ts'
import type { Server } from './postgres/server.ts'

const START_ATTEMPTS = 10
const BETWEEN_ATTEMPTS_MS = 200

export interface PostgresOptions {
  /** Made where it is missing; a second start finds the data of the first. */
  dataDir: string
  /** 0 or none: any free port. */
  port?: number
  /** False trades safety after a crash of the machine for speed: for tests. */
  durable: boolean
}

export interface Postgres {
  /** Superuser, database `postgres`. */
  url: string
  port: number
  /** Settles when the server ends, asked or not, with how it did. */
  exited: Promise<string>
  /** The last of what the server said. */
  lastLines(): string
  stop(): Promise<void>
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
      startServer(binaries, data, candidate, durable, user),
    )
    const urlOf = (database: string) =>
      `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await server.stop()
      ownership.release()
    }
    const run = (sql: string) => runOnce(urlOf('postgres'), sql)
    return {
      url: urlOf('postgres'),
      port,
      exited: server.exited,
      lastLines: server.lastLines,
      // Once only: by the second time the data may be another's.
      stop: () => (stopped ??= stop()),
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
  wanted: number,
  start: (port: number) => Promise<Server>,
): Promise<{ server: Server; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted === 0 ? await freePort() : wanted
    try {
      return { server: await start(port), port }
    } catch (error) {
      if (!(error instanceof PostgresDidNotStart) || attempt === START_ATTEMPTS) throw error
      // A free port can be taken by another between our look and PostgreSQL's.
      const worthAnother =
        error.reason === 'still-ending' || (error.reason === 'port-taken' && wanted === 0)
      if (!worthAnother) throw error
      await delay(BETWEEN_ATTEMPTS_MS)
    }
  }
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
