import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { openDatabase, openPool } from '../../api/src/db/database.ts'
import type { Database } from '../../api/src/db/database.ts'
import { afterFile } from './after-file.ts'

/** Runs one statement on the cluster, outside the databases of tests. */
export async function runOnCluster(statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: inject('clusterUrl') })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

const templateName = () => new URL(inject('environment')['DATABASE_URL']!).pathname.slice(1)

let migrated: Promise<void> | undefined

/** Migrates the template once in a run. A worker does it, because only workers need the code of the app anyway. */
async function migrateTemplate(): Promise<void> {
  const client = await connected(inject('clusterUrl'))
  try {
    // The other workers wait here.
    await client.query('select pg_advisory_lock(1)')
    const finished = 'select from pg_database where datname = $1 and datistemplate'
    if ((await client.query(finished, [templateName()])).rowCount === 1) return
    await client.query(`drop database if exists ${templateName()}`)
    await client.query(`create database ${templateName()}`)
    const { migrateAll } = await import('../../api/src/main/compose/compose.ts')
    const { parseConfig } = await import('../../api/src/main/config/config.ts')
    const { createLog } = await import('../../api/src/platform/log.ts')
    await migrateAll(parseConfig(inject('environment')), createLog('error', 'test'))
    await client.query(`alter database ${templateName()} is_template true`)
  } finally {
    await client.end()
  }
}

/** Returns the URL of a new database. */
async function createDatabase(template: string): Promise<string> {
  // Also before an empty database, because the migrations create the roles of the cluster.
  await (migrated ??= migrateTemplate())
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await runOnCluster(`create database ${name} template ${template}`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  return url.href
}

/** Copying the template takes a tenth of the time of the migrations. */
export const migratedDatabase = (): Promise<string> => createDatabase(templateName())

export const emptyDatabase = (): Promise<string> => createDatabase('template1')

/** How an API connects to a database of the cluster: through the pooler of the run, if it has one. */
export function urlForApi(url: string): string {
  const [cluster, pooler] = [inject('clusterUrl'), inject('poolerUrl')]
  const isOfCluster = new URL(url).port === new URL(cluster).port
  return pooler && isOfCluster
    ? Object.assign(new URL(url), { port: new URL(pooler).port }).href
    : url
}

export type Sql = Pick<Pool, 'query'>

/**
 * A connection, on which statements that are sent at the same time run one after the other. One that breaks is
 * replaced.
 */
export async function connected(url: string) {
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  pool.on('error', () => {})
  await pool.query('select')
  let ended: Promise<void> | undefined
  return {
    query: pool.query.bind(pool),
    end: () => (ended ??= pool.end()),
  }
}

export async function userIdOf(sql: Sql, email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}

/** Opens a database with the application's role; closed after the tests of the file. */
export function databaseAt(url: string, size: number): Database {
  const pool = openPool({ url, size, statementTimeoutMs: 8_000, onIdleError: () => {} })
  afterFile(() => pool.end())
  return openDatabase(pool)
}
