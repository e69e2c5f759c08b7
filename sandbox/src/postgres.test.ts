import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from './postgres.ts'
import { queryOnce } from './postgres/query.ts'
import { isRunning, processIdentity } from './process-identity.ts'

async function postmasterOf(dataDir: string): Promise<string> {
  const pid = Number.parseInt(
    await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8'),
    10,
  )
  return processIdentity(pid) ?? 'not running'
}

describe('PostgreSQL for development and tests', () => {
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'guidon-postgres-test-'))
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  it('keeps its data between starts and leaves no process behind', async () => {
    const first = await startPostgres({ dataDir, durable: false })
    const postmaster = await postmasterOf(dataDir)
    expect(isRunning(postmaster)).toBe(true)
    const url = await first.createDatabase('kept')
    await queryOnce(url, "CREATE TABLE note AS SELECT 'Ünïted' AS text")
    await first.stop()
    await first.exited
    expect(isRunning(postmaster)).toBe(false)

    const second = await startPostgres({ dataDir, durable: false })
    const again = new URL(second.url)
    again.pathname = '/kept'
    expect(await queryOnce(again.href, 'SELECT text FROM note')).toEqual([{ text: 'Ünïted' }])
    await second.stop()
  })

  it('is PostgreSQL 18 in UTF-8 with the same locale on every machine', async () => {
    const postgres = await startPostgres({ dataDir, durable: false })
    const [row] = await queryOnce(
      postgres.url,
      `SELECT current_setting('server_version_num')::int / 10000 AS major,
              pg_encoding_to_char(encoding) AS encoding, datlocprovider, datlocale,
              current_setting('max_connections') AS connections, current_setting('fsync') AS fsync,
              current_setting('track_activity_query_size') AS statement
         FROM pg_database WHERE datname = 'postgres'`,
    )
    await postgres.stop()
    expect(row).toEqual({
      major: 18,
      encoding: 'UTF8',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      connections: '200',
      fsync: 'off',
      statement: '16kB',
    })
  })

  it('creates databases from a template and drops them while they are in use', async () => {
    const postgres = await startPostgres({ dataDir, durable: false })
    const template = await postgres.createDatabase('template_of_tests')
    await queryOnce(template, 'CREATE TABLE person (name text)')
    const urls = await Promise.all(
      ['one', 'two'].map((name) => postgres.createDatabase(name, 'template_of_tests')),
    )
    for (const url of urls) expect(await queryOnce(url, 'SELECT * FROM person')).toEqual([])
    const connected = new Client({ connectionString: urls[0]! })
    connected.on('error', () => {})
    await connected.connect()
    await postgres.dropDatabase('one')
    await expect(queryOnce(urls[0]!, 'SELECT 1')).rejects.toThrow('does not exist')
    await postgres.stop()
  })

  it('protects the password file and requires the password', async () => {
    const postgres = await startPostgres({ dataDir, durable: false })
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600)
    const wrong = new URL(postgres.url)
    wrong.password = 'wrong'
    await expect(queryOnce(wrong.href, 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    )
    await postgres.stop()
  })

  it.runIf(process.getuid?.() === 0)('works below a folder that only root can enter', async () => {
    const privateFolder = await mkdtemp(join(tmpdir(), 'guidon-postgres-closed-'))
    const postgres = await startPostgres({ dataDir: join(privateFolder, 'data'), durable: false })
    const movedTo = (await readFile(join(privateFolder, 'data', 'moved-to'), 'utf8')).trim()
    expect(await queryOnce(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    const again = await startPostgres({ dataDir: join(privateFolder, 'data'), durable: false })
    await again.stop()
    await rm(movedTo, { recursive: true })
    await rm(privateFolder, { recursive: true })
  })

  it('refuses data that another running process uses', async () => {
    const postgres = await startPostgres({ dataDir, durable: false })
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow('in use by process')
    expect(await queryOnce(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('starts again at once after its parent process was killed', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'postgres.ts'))
    const script = `
      import { startPostgres } from ${module}
      const { port } = await startPostgres(${JSON.stringify({ dataDir, durable: false })})
      console.log(port)`
    const starter = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [port] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string]
    const orphan = await postmasterOf(dataDir)
    starter.kill('SIGKILL')
    await once(starter, 'exit')

    const postgres = await startPostgres({ dataDir, durable: false, port: Number(port) })
    expect(isRunning(orphan)).toBe(false)
    expect(await queryOnce(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })
})
