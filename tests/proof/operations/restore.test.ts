import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { getIntake } from '@guidon/contract/intake'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import type { SandboxFile } from '@guidon/sandbox/box/client'
import { startPostgres } from '@guidon/sandbox/postgres'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import { expect, it, vi } from 'vitest'
import { connected } from '../../support/databases.ts'
import type { Sql } from '../../support/databases.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { scrape, valueOf } from '../../support/scrape.ts'
import { Traffic } from '../../support/traffic.ts'
import type { Acknowledged } from '../../support/traffic.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly } from '../size.ts'
import { BackupHost, commandsOf } from './backup-host.ts'
import { grants, tableHashes } from './postgres-tools.ts'
import type { TableHashes } from './postgres-tools.ts'

const VETERANS = Array.from({ length: 5 }, () => newAccount())
const EMAILS = VETERANS.map(({ email }) => email)
const MINUTE_MS = 60_000
const STACK_OPTIONS = {
  mode: 'test',
  env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...NO_UPLOAD_QUOTA },
} as const

const folder = join(tmpdir(), `guidon-restore-${randomUUID()}`)
const pathOf = (name: string) => join(folder, name)
const home = pathOf('stack/postgres')
const cluster = join(home, 'cluster')

const waitUntil = (what: () => unknown, interval = 50) =>
  vi.waitUntil(what, { timeout: 2 * MINUTE_MS, interval })
const secondsSince = (since: number) => Math.round((performance.now() - since) / 100) / 10
const countRows = (hashes: TableHashes) =>
  Object.values(hashes).reduce((sum, { rows }) => sum + rows, 0)
const differingTables = (before: TableHashes, after: TableHashes) =>
  Object.keys({ ...before, ...after }).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
const countWrites = ({ uploads, cities }: Acknowledged) => uploads.size + cities.size
const contains = (file: string, text: string) => readFileSync(file).includes(text)
const databaseUrlOn = (postgresUrl: string) =>
  Object.assign(new URL(postgresUrl), { pathname: '/guidon' }).href

/** Counts the rows of some tables; only unfinished ones of the outbox and the jobs. */
async function countByTable(sql: Sql): Promise<Record<string, number>> {
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

async function waitForArchive(sql: Sql): Promise<void> {
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
  backupMetrics = '',
) {
  await using parts = new AsyncDisposableStack()
  const started = performance.now()
  const stack = await startStack({
    ...STACK_OPTIONS,
    env: { ...STACK_OPTIONS.env, BACKUP_METRICS_PATH: backupMetrics },
    dataDir: pathOf('stack'),
    databaseUrl,
    metrics: true,
  })
  parts.defer(() => stack.stop())
  // The command fails if the chain does not verify.
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
  const metricsPort = Number(new URL(stack.urls.metrics.workers[0]!).port)
  const samples = await scrape(metricsPort)
  const files = [...stored, ...(await new BoxSandboxClient(box).files())]
  const lost = [...acknowledged.uploads].filter(
    ([name, sha256]) => !files.some((file) => file.name === name && file.sha256 === sha256),
  )
  return {
    auditEvents: Number(/\bevents\W+(\d+)/.exec(audit)?.[1]),
    writes: countWrites(acknowledged),
    lastBackup: valueOf(samples, 'guidon_backup_last_success_timestamp_seconds'),
    lastArchived: valueOf(samples, 'guidon_wal_archive_last_success_timestamp_seconds'),
    lost: [...staleCities, ...lost],
    failures: traffic.failures,
    took: secondsSince(started),
  }
}

it(
  'the backup scripts, and a dump, restore every acknowledged write with the commands of docs/operate for machines without compose',
  fullSizeOnly,
  async () => {
    await using parts = new AsyncDisposableStack()
    // The PostgreSQL user must be able to enter the folder.
    mkdirSync(folder, { mode: 0o711 })
    parts.defer(() => rmSync(folder, { recursive: true, force: true }))

    const first = await startPostgres({ dataDir: home, durable: true })
    const host = new BackupHost(folder, cluster)
    host.writeSettings({ home, port: first.port })
    const [createFolders, createPassphrase, archiveWal, takeBackup] = commandsOf(
      'backup.md',
      'Set up without compose',
    )
    for (const command of [createFolders!, createPassphrase!, archiveWal!]) await host.run(command)
    await first.stop()

    const stack = await startStack({
      ...STACK_OPTIONS,
      dataDir: pathOf('stack'),
      durable: true,
      accounts: VETERANS,
    })
    const { urls } = stack
    parts.defer(() => stack.stop())
    host.writeSettings({ home, port: Number(new URL(urls.database).port) })
    const sql = await connected(urls.database)
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

    // The first backup, under load, by the script that the compose service `backup` runs.
    let started = performance.now()
    const schedule = host.start('deploy/postgres/backup-schedule')
    const [firstLine] = (await once(schedule.stdout!, 'data')) as [Buffer]
    const fullTook = secondsSince(started)
    schedule.kill('SIGTERM')
    expect(await once(schedule, 'exit')).toEqual([0, null])
    expect(String(firstLine)).toContain('backup: full backup finished')
    const countsAtBackup = await countByTable(sql)
    const rowsAtBackup = countRows(await tableHashes(sql))
    const firstSuccess = host.lastSuccess()
    started = performance.now()
    expect(await host.run(takeBackup!)).toContain('backup: incr backup finished')
    const incrementalTook = secondsSince(started)

    const targetCount = traffic.acknowledged.uploads.size + 5
    await waitUntil(() => traffic.acknowledged.uploads.size >= targetCount)
    await sql.query(`create table planted as select 'before the mistake' as text`)
    const { rows } = await sql.query<{ now: string }>('select clock_timestamp()::text as now')
    await sql.query('drop table planted')
    const acknowledgedAtArchive = traffic.snapshot()
    const granted = await grants(sql)
    await waitForArchive(sql)

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

    /** Starts PostgreSQL on this folder and reads what it holds. */
    const startAndRead = async (name: string) => {
      const server = await startPostgres({ dataDir: pathOf(name), durable: true })
      parts.defer(() => server.stop())
      const client = await connected(databaseUrlOn(server.url))
      // PostgreSQL can be read before it has replayed all of the WAL.
      await waitUntil(async () => {
        const { rows: states } = await client.query<{ recovering: boolean }>(
          'select pg_is_in_recovery() as recovering',
        )
        return !states[0]!.recovering
      })
      const hashes = await tableHashes(client)
      const acl = await grants(client)
      const { rows: planted } = await client.query<{ exists: boolean }>(
        `select to_regclass('planted') is not null as exists`,
      )
      await client.end()
      return { ...server, url: databaseUrlOn(server.url), hashes, acl, planted: planted[0]!.exists }
    }
    // The database when it was killed, read from a copy that does not archive.
    mkdirSync(pathOf('killed'), { mode: 0o711 })
    execFileSync('cp', ['-a', cluster, join(home, 'password'), pathOf('killed')])
    appendFileSync(pathOf('killed/cluster/postgresql.auto.conf'), 'archive_mode = off\n')
    const killed = await startAndRead('killed')
    await killed.stop()
    rmSync(pathOf('killed'), { recursive: true })

    // The repository: encrypted, not readable by others, and never changed by a drill or a restore.
    const plaintextIn = (files: string[]) =>
      files.filter((file) => EMAILS.some((email) => contains(file, email)))
    const dataFiles = globSync('{base,pg_wal}/**/*', { cwd: cluster, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(plaintextIn(dataFiles).length).toBeGreaterThan(0)
    expect(plaintextIn(host.files())).toEqual([])
    expect(await host.run(`find ${host.repository} ! -type l -perm /007`)).toBe('')
    const hashBefore = host.hash()
    const unmount = host.mountReadOnly()
    parts.defer(unmount)
    started = performance.now()
    const [drill] = commandsOf('restore.md', 'Restore drill')
    host.writeSettings({ home })
    const drillSaid = await host.run(drill!)
    const drillTook = secondsSince(started)
    expect(drillSaid).toMatch(/^restore drill: passed, 5 accounts, newest change 20/)
    expect(host.hash()).toBe(hashBefore)

    const [restore, restoreToMoment, archiveAgain] = commandsOf('restore.md', 'Without compose')
    const restored = async (name: string, command: string, env?: Record<string, string>) => {
      const began = performance.now()
      mkdirSync(pathOf(name), { mode: 0o711 })
      cpSync(join(home, 'password'), join(pathOf(name), 'password'))
      host.giveToPostgres(pathOf(name))
      host.writeSettings({ home: pathOf(name) })
      await host.run(command, env)
      const server = await startAndRead(name)
      return { ...server, took: secondsSince(began) }
    }
    // After the loss of the disk: from the repository alone.
    const fromArchive = await restored('from-archive', restore!)
    const beforeMistake = await restored('before-mistake', restoreToMoment!, {
      RESTORE_TIME: rows[0]!.now,
    })
    await beforeMistake.stop()
    const afterArchive = {
      product: await checkProduct(fromArchive.url, acknowledgedAtArchive, stored),
      archiveHash: host.hash(),
    }
    await fromArchive.stop()

    // On the same disk, with the WAL that was not archived. This one replaces the real database.
    unmount()
    execFileSync('chown', [`--reference=${cluster}`, home])
    host.writeSettings({ home })
    // A restore that fails changes nothing, and the repeated one loses nothing.
    const listing = () =>
      execFileSync('find', [home, '-mindepth', '1', '-printf', '%p %s %T@\n'], { encoding: 'utf8' })
        .split('\n')
        .toSorted()
    const listingBefore = listing()
    const passphrase = join(host.secrets, 'backup-passphrase')
    const rightPassphrase = readFileSync(passphrase)
    writeFileSync(passphrase, 'wrong')
    await expect(host.run(restore!)).rejects.toThrow(
      'the repository has no backup that can be read',
    )
    writeFileSync(passphrase, rightPassphrase)
    await expect(
      host.run(restoreToMoment!, { RESTORE_TIME: '2020-01-01 00:00:00+00' }),
    ).rejects.toMatchObject({ stdout: expect.stringContaining('ERROR: [') })
    expect(listing()).toEqual(listingBefore)
    started = performance.now()
    await host.run(restore!)
    await host.run(archiveAgain!)
    const real = await startAndRead('stack/postgres')
    const realTook = secondsSince(started)
    host.writeSettings({ home, port: real.port })
    const afterReal = await checkProduct(real.url, acknowledgedAtEnd, stored, host.metrics)
    await host.run(commandsOf('backup.md', 'Take a backup now')[0]!)
    expect(await host.run(commandsOf('backup.md', 'List the backups')[0]!)).toMatch(
      /status: ok[^]+cipher: aes-256-cbc/,
    )
    expect(await host.run(drill!)).toContain('restore drill: passed')
    const successAfterReal = host.lastSuccess()

    // With a damaged older backup, a new backup is recorded as a success. The verification is not, until the damaged
    // backup is removed.
    const bundle = host.files().find((file) => file.endsWith('F/bundle/1'))!
    const damaged = readFileSync(bundle)
    damaged[100]! ^= 1
    writeFileSync(bundle, damaged)
    const [takeFull, expireDamaged] = commandsOf('backup.md', 'If the repository is damaged')
    await expect(host.run(takeFull!)).rejects.toThrow('finished, but the repository is damaged')
    const successWithDamage = host.lastSuccess()
    expect(successWithDamage.backup).toBeGreaterThan(successAfterReal.backup)
    expect(successWithDamage.verify).toBe(successAfterReal.verify)
    await host.run(expireDamaged!, { BACKUP_LABEL: basename(dirname(dirname(bundle))) })
    await host.run(takeBackup!)
    expect(host.lastSuccess().verify).toBeGreaterThan(successAfterReal.verify)

    // Expired backups are deleted, with their WAL.
    const walBefore = host.files().filter((file) => file.includes('/archive/')).length
    await host.run('deploy/postgres/backup full', {
      PGBACKREST_REPO1_RETENTION_FULL_TYPE: 'count',
      PGBACKREST_REPO1_RETENTION_FULL: '1',
    })
    const manifests = host.files().filter((file) => file.endsWith('/backup.manifest'))
    const walAfter = host.files().filter((file) => file.includes('/archive/')).length

    // A dump of the quiet database, into a new PostgreSQL.
    started = performance.now()
    const fresh = await startPostgres({ dataDir: pathOf('fresh'), durable: true })
    parts.defer(() => fresh.stop())
    const client = await connected(real.url)
    const hashesAtDump = await tableHashes(client)
    await client.end()
    for (const name of ['owner', 'web'])
      writeFileSync(join(host.secrets, `database-${name}-password`), name)
    host.giveToPostgres(host.secrets)
    const addresses = {
      OLD_HOST: '127.0.0.1',
      OLD_PORT: String(real.port),
      NEW_HOST: '127.0.0.1',
      NEW_PORT: String(fresh.port),
    }
    host.addPassword(pathOf('fresh'), fresh.port)
    for (const command of commandsOf('restore.md', 'Move to another major version')) {
      await host.run(`set -a; . "$BACKUP_SETTINGS"; set +a\n${command}`, addresses)
    }
    const dumpTook = secondsSince(started)
    const fromDump = await connected(databaseUrlOn(fresh.url))
    const hashesFromDump = await tableHashes(fromDump)
    const grantedByDump = await grants(fromDump)
    await fromDump.end()

    const products = { 'from the repository': afterArchive.product, 'with the old disk': afterReal }
    const differing = {
      'with the old disk': differingTables(killed.hashes, real.hashes),
      'from the dump': differingTables(hashesAtDump, hashesFromDump),
    }
    figures('backed up under load', {
      requests,
      tables: Object.keys(killed.hashes).length,
      'rows at the backup': rowsAtBackup,
      'rows at the end': countRows(killed.hashes),
      'rows by table at the backup': JSON.stringify(countsAtBackup),
      'files of the repository': host.files().length,
      'WAL files before and after pruning': `${walBefore} and ${walAfter}`,
    })
    figures('restored with the old disk', {
      'tables compared': Object.keys(real.hashes).length,
      'rows hashed': countRows(real.hashes),
      'differing tables': differing['with the old disk'].length,
    })
    headline.sum({
      'rows compared': countRows(real.hashes),
      'differing tables': differing['with the old disk'].length,
    })
    figures('restored from the dump', {
      'tables compared': Object.keys(hashesFromDump).length,
      'rows hashed': countRows(hashesFromDump),
      'differing tables': differing['from the dump'].length,
    })
    headline.sum({
      'rows compared': countRows(hashesFromDump),
      'differing tables': differing['from the dump'].length,
    })
    for (const [name, { auditEvents, writes, lost, failures }] of Object.entries(products)) {
      figures(`the product, restored ${name}`, {
        'audit events verified': auditEvents,
        'acknowledged writes': writes,
        'acknowledged writes lost': lost.length,
        'unexpected responses': failures.length,
      })
      headline.sum({ 'acknowledged writes': writes, 'writes lost': lost.length })
    }
    figures('seconds', {
      'full backup': fullTook,
      'incremental backup': incrementalTook,
      drill: drillTook,
      'restore from the repository': fromArchive.took,
      'restore to a moment': beforeMistake.took,
      'restore with the old disk': realTook,
      'dump and restore': dumpTook,
      'checks of the product': JSON.stringify(
        Object.fromEntries(Object.entries(products).map(([name, { took }]) => [name, took])),
      ),
    })
    expect(successAfterReal.backup).toBeGreaterThan(firstSuccess.backup)
    expect(afterArchive.archiveHash).toBe(hashBefore)
    expect(afterArchive.product).toMatchObject({ lastBackup: undefined, lastArchived: undefined })
    expect(afterReal.lastBackup).toBeGreaterThanOrEqual(firstSuccess.backup)
    expect(Date.now() / 1000 - afterReal.lastArchived!).toBeLessThan(3600)
    expect(beforeMistake.planted).toBe(true)
    expect(fromArchive.planted).toBe(false)
    expect(real.hashes).toEqual(killed.hashes)
    expect(real.acl).toEqual(granted)
    expect(countRows(fromArchive.hashes)).toBeGreaterThan(rowsAtBackup)
    expect(manifests).toHaveLength(1)
    expect(walAfter).toBeLessThan(walBefore)
    expect(hashesFromDump).toEqual(hashesAtDump)
    expect(grantedByDump).toEqual(granted)
    expect(differing).toEqual({ 'with the old disk': [], 'from the dump': [] })
    for (const { auditEvents, writes, lost, failures } of Object.values(products)) {
      expect(auditEvents).toBeGreaterThan(0)
      expect(writes).toBeGreaterThan(0)
      expect(lost).toEqual([])
      expect(failures).toEqual([])
    }
  },
)
