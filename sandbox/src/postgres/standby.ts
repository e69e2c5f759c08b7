import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../free-port.ts'
import { postgresBinaries } from './binaries.ts'
import { postgresUser } from './os-user.ts'
import { startServer } from './server.ts'

interface Standby {
  /** The same database on the standby. */
  urlOf(databaseUrl: string): string
  stop(): Promise<void>
}

/** A streaming replica of a PostgreSQL that `startPostgres` has started. `primaryUrl` is that of the superuser. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const primary = new URL(primaryUrl)
  const data = await copyOf(primaryUrl)
  const user = postgresUser(data)
  const port = await freePort()
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${primary.username} password=${primary.password}`
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  const signal = join(data, 'standby.signal')
  writeFileSync(signal, '')
  if (user.uid !== undefined && user.gid !== undefined) chownSync(signal, user.uid, user.gid)
  const server = await startServer(postgresBinaries(user), data, port, false, user)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await server.stop()
    rmSync(dirname(data), { recursive: true, force: true })
  }
  return {
    urlOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { port }).href,
    stop: () => (stopped ??= stop()),
  }
}

/** A base backup by the low-level interface, because the package of binaries has no `pg_basebackup`. */
async function copyOf(primaryUrl: string): Promise<string> {
  const client = new Client({ connectionString: primaryUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ from: string }>(
      `select current_setting('data_directory') as from, pg_backup_start('standby', true)`,
    )
    const { from } = rows[0]!
    const home = mkdtempSync(join(dirname(from), 'standby-'))
    const data = join(home, 'data')
    const user = postgresUser(from)
    if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
    const copied = spawnSync('cp', ['-a', from, data], { encoding: 'utf8' })
    if (copied.status !== 0) throw new Error(`the primary could not be copied: ${copied.stderr}`)
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name))
    const ended = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(false)',
    )
    const label = join(data, 'backup_label')
    writeFileSync(label, ended.rows[0]!.label)
    if (user.uid !== undefined && user.gid !== undefined) chownSync(label, user.uid, user.gid)
    return data
  } finally {
    await client.end()
  }
}
