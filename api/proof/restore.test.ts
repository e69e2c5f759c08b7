import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getIntake } from '@guidon/contract/intake'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import type { SandboxFile } from '@guidon/sandbox/box/client'
import { startPostgres } from '@guidon/sandbox/postgres'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import { connected } from '../test/databases.ts'
import { NO_UPLOAD_QUOTA } from './no-upload-quota.ts'
import { grants, postgresTools, tableHashes } from './postgres-tools.ts'
import type { TableHashes } from './postgres-tools.ts'
import { createArchivingCluster, restoreCluster } from './restored-cluster.ts'
import { figures, fullSizeOnly } from './size.ts'
import { Traffic, veteran } from './traffic.ts'
import type { Acknowledged } from './traffic.ts'

const VETERANS = Array.from({ length: 5 }, veteran)
const EMAILS = VETERANS.map(({ email }) => email)
const MINUTE_MS = 60_000
const STACK_OPTIONS = {
  mode: 'test',
  env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...NO_UPLOAD_QUOTA },
} as const

const folder = join(tmpdir(), `guidon-restore-${randomUUID()}`)
const pathOf = (name: string) => join(folder, name)
const archive = pathOf('archive')

const waitUntil = (what: () => unknown, interval = 50) =>
  vi.waitUntil(what, { timeout: 2 * MINUTE_MS, interval })
const secondsSince = (since: number) => Math.round((performance.now() - since) / 100) / 10
const countRows = (hashes: TableHashes) =>
  Object.values(hashes).reduce((sum, { rows }) => sum + rows, 0)
const databaseUrlOn = (postgresUrl: string) =>
  Object.assign(new URL(postgresUrl), { pathname: '/guidon' }).href

/** Counts the rows of some tables; only unfinished ones of the outbox and the jobs. */
async function countByTable(sql: Client): Promise<Record<string, number>> {
  const { rows } = await sql.query<Record<string, number>>(
    `select (select count(*) from sessions)::int as sessions,
       (select count(*) from intakes)::int as intakes,
       (select count(*) from upload_chunks)::int as chunks,
       (select count(*) from crm_outbox where sent_at is null)::int as outbox,
       (select count(*) from pgboss.job where state < 'completed')::int as jobs,
       (select count(*) from audit_seals)::int as seals`,
  )
  return rows[0]!
}

async function waitForArchive(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  )
  await waitUntil(
    async () =>
      (
        await sql.query('select from pg_stat_archiver where last_archived_wal >= $1', [
          rows[0]!.file,
        ])
      ).rowCount === 1,
  )
}

/** Runs the product on a restored database and returns the acknowledged writes that are missing. */
async function checkProduct(
  databaseUrl: string,
  acknowledged: Acknowledged,
  stored: SandboxFile[],
) {
  await using parts = new AsyncDisposableStack()
  const started = performance.now()
  const stack = await startStack({ ...STACK_OPTIONS, dataDir: pathOf('stack'), databaseUrl })
  parts.defer(() => stack.stop())
  const audit = await stack.admin(['audit'])
  const { portal, mailbox, box } = stack.urls
  const traffic = new Traffic({ base: portal, origin: portal, mailbox, bytesPerFile: 0 })
  const staleCities: string[] = []
  // `Traffic` saves "Reno 0", "Reno 1" and so on, so the number shows which save is stored.
  const saveNumberOf = (city: string | null | undefined) => Number(city?.split(' ')[1] ?? -1)
  for (const [email, city] of acknowledged.cities) {
    const { body } = await (await traffic.signIn(email)).call(getIntake, {})
    if (saveNumberOf(body.data.city) < saveNumberOf(city))
      staleCities.push(`${body.data.city} is before ${city}`)
  }
  const sql = await connected(databaseUrl)
  parts.defer(() => sql.end())
  await stack.admin(['files', 'send-again'])
  await waitUntil(
    async () => (await sql.query('select from uploads where stored_at is null')).rowCount === 0,
    500,
  )
  const files = [...stored, ...(await new BoxSandboxClient(box).files())]
  const lost = [...acknowledged.uploads].filter(
    ([name, sha256]) => !files.some((file) => file.name === name && file.sha256 === sha256),
  )
  return {
    audit,
    lost: [...staleCities, ...lost],
    failures: traffic.failures,
    took: secondsSince(started),
  }
}

it(
  'a dump and a base backup with its WAL both restore every acknowledged write',
  fullSizeOnly('may download the tools of PostgreSQL'),
  async () => {
    await using parts = new AsyncDisposableStack()
    // The PostgreSQL user must be able to enter the folder.
    mkdirSync(folder, { mode: 0o711 })
    parts.defer(() => rmSync(folder, { recursive: true, force: true }))
    const tool = postgresTools()
    await createArchivingCluster(pathOf('stack/postgres'), archive)
    const stack = await startStack({
      ...STACK_OPTIONS,
      dataDir: pathOf('stack'),
      durable: true,
      accounts: VETERANS,
    })
    const { urls } = stack
    parts.defer(() => stack.stop())
    const url = urls.database
    const sql = await connected(url)
    sql.on('error', () => {})
    const box = new BoxSandboxClient(urls.box)
    const traffic = new Traffic({
      base: urls.portal,
      origin: urls.portal,
      mailbox: urls.mailbox,
      bytesPerFile: 1_000_000,
    })
    await traffic.start(EMAILS)
    await waitUntil(async () => (await box.files()).length > 2)
    await box.fault({ mode: '500', times: 1_000_000 })
    await salesforceControl(urls.salesforce).fault({ mode: 'down', times: 1_000_000 })
    await waitUntil(async () => Object.values(await countByTable(sql)).every((count) => count > 0))

    // A logical backup: pg_dump and the row hashes use the same snapshot.
    const acknowledgedAtDump = traffic.snapshot()
    await sql.query('begin isolation level repeatable read read only')
    const { rows } = await sql.query<{ snapshot: string }>(
      'select pg_export_snapshot() as snapshot',
    )
    let started = performance.now()
    await tool(
      'pg_dump',
      '--format=custom',
      `--snapshot=${rows[0]!.snapshot}`,
      `--file=${pathOf('guidon.dump')}`,
      url,
    )
    const dumpTook = secondsSince(started)
    const hashesAtDump = await tableHashes(sql)
    const countsAtDump = await countByTable(sql)
    const granted = await grants(sql)
    await sql.query('commit')

    // The recommended backup: a base backup under load, and the WAL from then on.
    started = performance.now()
    const base = pathOf('base')
    await tool('pg_basebackup', `--dbname=${url}`, `--pgdata=${base}`, '--checkpoint=fast')
    const baseTook = secondsSince(started)
    // The WAL is checked by the restore below.
    await tool('pg_verifybackup', '--no-parse-wal', base)
    const targetCount = traffic.acknowledged.uploads.size + 5
    await waitUntil(() => traffic.acknowledged.uploads.size >= targetCount)
    const acknowledgedAtArchive = traffic.snapshot()
    await waitForArchive(sql)

    const cluster = pathOf('stack/postgres/cluster')
    process.kill(
      Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10),
      'SIGKILL',
    )
    const acknowledgedAtEnd = traffic.snapshot()
    await traffic.end()
    const stored = await box.files()
    const requests = traffic.requests
    await sql.end().catch(() => {})
    await stack.stop()
    cpSync(pathOf('stack/postgres/password'), pathOf('password'))
    cpSync(join(cluster, 'pg_wal'), pathOf('rescued-wal'), { recursive: true })
    const killed = await startPostgres({ dataDir: pathOf('stack/postgres'), durable: true })
    const original = await connected(databaseUrlOn(killed.url))
    const hashesAtEnd = await tableHashes(original)
    await original.end()
    await killed.stop()
    rmSync(pathOf('stack/postgres'), { recursive: true })

    const restored = async (name: string, wal?: string) => {
      const began = performance.now()
      const postgres = await restoreCluster({
        home: pathOf(name),
        base,
        archive,
        ...(wal && { wal }),
      })
      const took = secondsSince(began)
      const client = await connected(databaseUrlOn(postgres.url))
      const hashes = await tableHashes(client)
      const acl = await grants(client)
      await client.end()
      parts.defer(() => postgres.stop())
      return { url: databaseUrlOn(postgres.url), hashes, acl, took }
    }
    // With the archive only, as after the loss of the disk, and with the WAL of the killed cluster.
    const fromArchive = await restored('from-archive')
    const withRescuedWal = await restored('with-rescued-wal', pathOf('rescued-wal'))

    started = performance.now()
    const fresh = await startPostgres({ dataDir: pathOf('fresh'), durable: true })
    parts.defer(() => fresh.stop())
    const target = await fresh.createDatabase('guidon')
    await tool('psql', '--quiet', '--command=create role guidon_app nologin', target)
    await tool('pg_restore', '--exit-on-error', `--dbname=${target}`, pathOf('guidon.dump'))
    const restoreTook = secondsSince(started)
    const client = await connected(target)
    const hashesFromDump = await tableHashes(client)
    const grantedByDump = await grants(client)
    await client.end()

    const products = {
      dump: await checkProduct(target, acknowledgedAtDump, stored),
      'from the archive': await checkProduct(fromArchive.url, acknowledgedAtArchive, stored),
      'with the rescued WAL': await checkProduct(withRescuedWal.url, acknowledgedAtEnd, stored),
    }
    figures('backed up under load', {
      requests,
      tables: Object.keys(hashesAtEnd).length,
      'rows at the dump': countRows(hashesAtDump),
      'rows at the end': countRows(hashesAtEnd),
      'rows by table at the dump': JSON.stringify(countsAtDump),
      'dump MB': Math.round(statSync(pathOf('guidon.dump')).size / 1e5) / 10,
    })
    figures('seconds', {
      dump: dumpTook,
      'restore of the dump': restoreTook,
      'base backup': baseTook,
      'restore from the archive': fromArchive.took,
      'restore with the rescued WAL': withRescuedWal.took,
      'checks of the product': JSON.stringify(
        Object.fromEntries(Object.entries(products).map(([name, { took }]) => [name, took])),
      ),
    })
    expect(hashesFromDump).toEqual(hashesAtDump)
    expect(grantedByDump).toEqual(granted)
    expect(withRescuedWal.hashes).toEqual(hashesAtEnd)
    expect(withRescuedWal.acl).toEqual(granted)
    expect(countRows(fromArchive.hashes)).toBeGreaterThan(countRows(hashesAtDump))
    for (const { lost, failures } of Object.values(products)) {
      expect(lost).toEqual([])
      expect(failures).toEqual([])
    }
  },
)
