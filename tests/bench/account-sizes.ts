import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@guidon/sandbox/postgres'
import type { Postgres } from '@guidon/sandbox/postgres'
import { queryOnce } from '@guidon/sandbox/postgres/query'
import { startStack } from '@guidon/sandbox/stack/stack'
import { Client } from 'pg'
import { addAccounts } from './account-rows.ts'
import { addStaff } from './accounts-stack.ts'
import { cookieOf, openSessions } from './veterans.ts'

/** PostgreSQL settings, as on a provider's database server. The same for all sizes. */
export const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '4GB',
  effective_cache_size: '12GB',
  work_mem: '16MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
}
const GIGABYTE = 1024 ** 3
const BYTES_PER_ACCOUNT = 1_000
/** For the WAL, and for sorting while an index is built. */
const SPARE_BYTES = 12 * GIGABYTE
const ACCOUNTS_PER_SESSION = 50

export interface SizedApi {
  accounts: number
  base: string
  origin: string
  cookie: string
  sql: Client
  tokenKey: string
}

/** Survives a reboot, and unlike /tmp is never in memory. */
export const defaultFolder = () => (existsSync('/var/tmp') ? '/var/tmp' : tmpdir())

export function checkFreeDisk(folder: string, sizes: readonly number[]): void {
  const accounts = sizes.reduce((sum, size) => sum + size, 0)
  const needed = accounts * BYTES_PER_ACCOUNT + SPARE_BYTES
  const { bavail, bsize } = statfsSync(folder)
  const gigabytes = (bytes: number) => `${Math.ceil(bytes / GIGABYTE)} GB`
  if (bavail * bsize < needed) {
    throw new Error(
      `The benchmark needs ${gigabytes(needed)} of free disk in ${folder}, which has ${gigabytes(bavail * bsize)}. ` +
        'Free some, or choose another folder with --folder.',
    )
  }
}

interface SizesOptions {
  sizes: readonly number[]
  /** For a temporary folder. */
  parentDir: string
  /** A data folder that is kept after the run. A later run uses its accounts. */
  permanentDir: string | undefined
  onProgress(text: string): void
}

/** One PostgreSQL with a database of each size, and an API for each database. `close` may be called during `start`. */
export function openSizes({ sizes, parentDir, permanentDir, onProgress }: SizesOptions) {
  const parts = new AsyncDisposableStack()
  let closed: Promise<void> | undefined
  const close = () => (closed ??= parts.disposeAsync())

  const start = async (): Promise<SizedApi[]> => {
    const dataDir = permanentDir ?? mkdtempSync(join(parentDir, 'guidon-bench-accounts-'))
    mkdirSync(dataDir, { recursive: true })
    // PostgreSQL may run as another user, who must be able to enter the folder.
    chmodSync(dataDir, 0o711)
    if (permanentDir === undefined) {
      parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    }
    const postgres = await startWithSettings(join(dataDir, 'postgres'))
    parts.defer(() => postgres.stop())
    const apis: SizedApi[] = []
    for (const accounts of sizes) {
      const databaseUrl = await openDatabase(postgres, `accounts_${accounts}`)
      apis.push(await startApi(join(dataDir, String(accounts)), databaseUrl, accounts))
    }
    return apis
  }

  const startApi = async (
    dataDir: string,
    databaseUrl: string,
    accounts: number,
  ): Promise<SizedApi> => {
    const stack = await startStack({
      dataDir,
      mode: 'production',
      databaseUrl,
      durable: true,
      workers: 0,
      scanner: false,
      env: { LOG_LEVEL: 'warn', WEB_DIR: '' },
    })
    parts.defer(() => stack.stop())
    const sql = new Client({ connectionString: databaseUrl })
    // The server ends the connection if the run is interrupted.
    sql.on('error', () => {})
    await sql.connect()
    parts.defer(() => sql.end())
    const tokenKey = stack.environment['TOKEN_KEY']!
    const { rows } = await sql.query('select from users limit 1')
    if (rows.length === 0) await fill(sql, tokenKey, accounts, onProgress)
    await readIntoMemory(sql)
    const base = stack.urls.api[0]!
    const origin = stack.urls.portal
    return { accounts, base, origin, cookie: cookieOf(0), sql, tokenKey }
  }

  return { start, close }
}

/** Most of the settings take effect only after a restart. */
async function startWithSettings(dataDir: string): Promise<Postgres> {
  const options = { dataDir, durable: true }
  const first = await startPostgres(options)
  const sql = new Client({ connectionString: first.url })
  await sql.connect()
  for (const [name, value] of Object.entries(SETTINGS)) {
    await sql.query(`alter system set ${name} = '${value}'`)
  }
  await sql.end()
  await first.stop()
  return startPostgres(options)
}

async function openDatabase(postgres: Postgres, name: string): Promise<string> {
  const find = 'select from pg_database where datname = $1'
  const found = await queryOnce(postgres.url, find, [name])
  if (found.length === 0) return postgres.createDatabase(name)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

/** Adds the accounts, and opens a session for every fiftieth: as many as sign in on a day. */
async function fill(
  sql: Client,
  tokenKey: string,
  accounts: number,
  onProgress: (text: string) => void,
): Promise<void> {
  const started = performance.now()
  await addStaff(sql, tokenKey)
  // One less, because the staff account exists already.
  await addAccounts(sql, accounts - 1, onProgress)
  const { rows: signedIn } = await sql.query<{ id: string }>(
    `select id from users where role = 'USER' and is_active and random() * $1 < 1`,
    [ACCOUNTS_PER_SESSION],
  )
  const ids = signedIn.map(({ id }) => id)
  await openSessions(sql, tokenKey, ids, 1)
  await sql.query('vacuum (analyze) sessions, session_tokens')
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  onProgress(`${accounts} accounts and ${ids.length} sessions loaded in ${seconds} s`)
}

/** As after some hours of use: the whole database fits into the memory of the recommended server. */
async function readIntoMemory(sql: Client): Promise<void> {
  await sql.query('create extension if not exists pg_prewarm')
  await sql.query(
    `select pg_prewarm(oid::regclass, 'read') from pg_class
     where oid = 'users'::regclass or oid in (select indexrelid from pg_index where indrelid = 'users'::regclass)`,
  )
}
