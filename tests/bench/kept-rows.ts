import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { startPostgres } from '@guidon/sandbox/postgres'
import type { Postgres } from '@guidon/sandbox/postgres'
import { Client, escapeIdentifier } from 'pg'
import { startApiStack } from './api-stack.ts'
import type { ApiStack } from './api-stack.ts'
import { fixed, report } from './figures.ts'

/**
 * Rows that take long to load are loaded once and kept in one PostgreSQL in `.data/bench`, a database for each kind and
 * number. A run measures on a copy, so that it never changes what is kept. Delete the folder to start afresh.
 */

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.data/bench')
const MIGRATIONS = join(ROOT, 'api/migrations')
const COPY = 'run_'
const GIGABYTE = 1024 ** 3
const PROGRESS_MS = 5_000

/** PostgreSQL settings, as on a provider's database server. */
export const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '4GB',
  effective_cache_size: '12GB',
  work_mem: '16MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
}

export interface Rows {
  /** Such as `accounts`. */
  kind: string
  /** Such as their number; the same kind and size are the same rows. */
  size: string
  /** The files in this folder that make the rows. If one of them changes, the rows are loaded again. */
  files: readonly string[]
  /** Of disk, for the kept rows. */
  gigabytes: number
  load(sql: Client): Promise<void>
}

/** An API whose database has the rows. `sql` is a connection of the superuser. */
type ApiWithRows = ApiStack & { sql: Client }

export type KeptRows = Awaited<ReturnType<typeof openKeptRows>>

export async function openKeptRows() {
  const parts = new AsyncDisposableStack()
  const postgres = await startWithSettings(FOLDER)
  parts.defer(() => postgres.stop())
  const server = await connect(postgres.url)
  parts.defer(() => server.end())
  // Copies are cloned if the file system can do that.
  await server.query(
    `select set_config(name, 'clone', false) from pg_settings
     where name = 'file_copy_method' and 'clone' = any(enumvals)`,
  )
  const databases = async (like: string): Promise<string[]> => {
    const found = await server.query<{ name: string }>(
      'select datname as name from pg_database where datname like $1',
      [like],
    )
    return found.rows.map(({ name }) => name)
  }
  const drop = async (name: string) => {
    await server.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
  }
  const copy = async (name: string, template: string) => {
    const [to, from] = [name, template].map(escapeIdentifier)
    await server.query(`create database ${to} template ${from} strategy file_copy`)
  }
  // Of a run that was interrupted.
  for (const name of await databases(`${COPY}%`)) await drop(name)

  const startApi = async (rows: Rows, env: Record<string, string> = {}): Promise<ApiWithRows> => {
    const version = versionOf(rows)
    const kept = `${rows.kind}_${rows.size}_${version}`
    for (const name of await databases(`${rows.kind}_%`)) {
      if (!name.endsWith(`_${version}`)) await drop(name)
    }
    const isKept = (await databases(kept)).length > 0
    if (isKept) report(`${kept}: starting an API on a copy of the kept rows`)
    else checkFreeDisk(2 * rows.gigabytes)
    const name = `${COPY}${rows.kind}_${rows.size}`
    await copy(name, isKept ? kept : 'template1')
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    const apiStack = await startApiStack({ env, databaseUrl: url.href })
    parts.defer(async () => {
      await apiStack.close()
      await drop(name)
    })
    if (!isKept) {
      const started = performance.now()
      report(`${kept}: loading the rows, once, into ${relative(ROOT, FOLDER)}`)
      const sql = await connect(url.href)
      await rows.load(sql)
      report(`${kept}: vacuum and copy`)
      await sql.query('vacuum (freeze, analyze)')
      await sql.end()
      // A database can only be copied while nobody is connected to it.
      await apiStack.stack.api[0]!.stop()
      await copy(kept, name)
      await apiStack.stack.api[0]!.start()
      report(`${kept}: loaded in ${fixed((performance.now() - started) / 1000, 0)} s`)
    }
    const sql = await connect(url.href)
    parts.defer(() => sql.end())
    return { ...apiStack, sql }
  }

  return { startApi, close: () => parts.disposeAsync() }
}

/** Rows of another month have other dates, and the partitions of other months. */
function versionOf({ files }: Rows): string {
  const migrations = readdirSync(MIGRATIONS).toSorted()
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 'YYYY-MM'.length))
  for (const file of migrations) hash.update(readFileSync(join(MIGRATIONS, file)))
  for (const file of files) hash.update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 8)
}

/** Most of the settings take effect only after a restart. */
async function startWithSettings(dataDir: string): Promise<Postgres> {
  const options = { dataDir, durable: true }
  const postgres = await startPostgres(options)
  const sql = await connect(postgres.url)
  let changed = false
  for (const [name, value] of Object.entries(SETTINGS)) {
    const { rows } = await sql.query<{ value: string }>('select current_setting($1) as value', [
      name,
    ])
    if (rows[0]!.value === value) continue
    await sql.query(`alter system set ${name} = '${value}'`)
    changed = true
  }
  await sql.end()
  if (!changed) return postgres
  await postgres.stop()
  return startPostgres(options)
}

async function connect(connectionString: string): Promise<Client> {
  const sql = new Client({ connectionString })
  // The server ends the connection if the run is interrupted.
  sql.on('error', () => {})
  await sql.connect()
  return sql
}

/** Loads rows without the indexes of these tables and builds them afterwards, which is several times faster. */
export async function withoutIndexes(
  sql: Client,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  const { rows: statistics } = await sql.query<{ name: string; number: number; target: number }>(
    `select attrelid::regclass::text as name, attnum as number, attstattarget as target
     from pg_attribute join pg_index on indexrelid = attrelid
     where indrelid = any($1::regclass[]) and attstattarget is not null`,
    [tables],
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  await load()
  let reportedAt = -Infinity
  for (const [index, { name, definition }] of indexes.entries()) {
    if (performance.now() - reportedAt > PROGRESS_MS) {
      report(`building index ${index + 1} of ${indexes.length}: ${name}`)
      reportedAt = performance.now()
    }
    await sql.query(definition)
  }
  for (const { name, number, target } of statistics) {
    await sql.query(`alter index ${name} alter column ${number} set statistics ${target}`)
  }
}

function checkFreeDisk(gigabytes: number): void {
  const { bavail, bsize } = statfsSync(FOLDER)
  const free = (bavail * bsize) / GIGABYTE
  if (free >= gigabytes) return
  throw new Error(
    `The rows and a copy of them need ${Math.ceil(gigabytes)} GB of free disk in ${FOLDER}, ` +
      `which has ${Math.floor(free)} GB.`,
  )
}
