import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { childExit } from './child-exit.ts'
import { freePort } from './free-port.ts'
import { postgresUser } from './postgres/os-user.ts'
import { UserError } from './user-error.ts'
import { endWithParent } from './watchdog.ts'

const CONFIGURATION = resolve(import.meta.dirname, '../../deploy/ha/pgbouncer.ini')
const READY = 'process up'
/** Everything is on this machine, without certificates. */
const LOOPBACK = {
  listen_addr: '127.0.0.1',
  server_tls_sslmode: 'disable',
  client_tls_sslmode: 'disable',
}

interface Pooler {
  /** The same database through the pooler. */
  urlOf(databaseUrl: string): string
  close(): Promise<void>
}

interface PoolerOptions {
  /** The path or the name of PgBouncer. */
  program: string
  /** Of the PostgreSQL server. PgBouncer accepts the user and password in it. */
  url: string
  /** Added to the shipped configuration, or in place of its values. */
  settings?: Readonly<Record<string, string | number>>
}

/** PgBouncer with the shipped configuration, for all databases of one server on 127.0.0.1. */
export async function startPooler({ program, url, settings = {} }: PoolerOptions): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-pooler-'))
  // PgBouncer, like PostgreSQL, refuses to run as root.
  const user = postgresUser(folder)
  const server = new URL(url)
  const port = await freePort()
  const files = {
    'pgbouncer.ini': configuration(server.port, {
      ...LOOPBACK,
      ...settings,
      listen_port: port,
      // The sandbox's own PostgreSQL has no certificate.
      server_tls_sslmode: 'disable',
      auth_file: join(folder, 'users.txt'),
    }),
    'users.txt': `"${server.username}" "${decodeURIComponent(server.password)}"\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  }
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of ['', ...Object.keys(files)].map((name) => join(folder, name))) {
      chownSync(path, user.uid, user.gid)
    }
  }
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = childExit(child)
  const lines: string[] = []
  const ready = new Promise<boolean>((done) => {
    const reader = createInterface({ input: child.stderr })
    reader.on('line', (line) => {
      lines.push(line)
      if (line.includes(READY)) done(true)
    })
    reader.on('close', () => done(false))
    child.once('error', () => done(false))
  })
  const watchdog = child.pid === undefined ? undefined : endWithParent(child.pid, 'INT', user)
  const end = async () => {
    child.kill('SIGKILL')
    await exited
    await watchdog?.release()
    rmSync(folder, { recursive: true, force: true })
  }
  if (!(await ready)) {
    await end()
    throw new UserError(`PgBouncer (${program}) did not start:\n${lines.join('\n')}`)
  }
  return {
    urlOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { port }).href,
    close: end,
  }
}

/** The shipped configuration with another server and other settings. */
function configuration(serverPort: string, settings: Record<string, string | number>): string {
  const shipped = readFileSync(CONFIGURATION, 'utf8')
  const address = /host=\S+ port=\d+/
  if (!address.test(shipped)) throw new Error(`${CONFIGURATION} names no server`)
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  // The last value of a setting counts.
  return `${shipped.replace(address, `host=127.0.0.1 port=${serverPort}`)}\n${lines.join('\n')}\n`
}
