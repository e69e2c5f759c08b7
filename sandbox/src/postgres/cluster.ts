import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PlainProblem } from '../plain-problem.ts'
import type { Binaries } from './binaries.ts'
import { canEnter } from './os-user.ts'
import type { OsUser } from './os-user.ts'
import { isOwnDirectory } from './own-directory.ts'

const MAJOR = '18'

export interface Cluster {
  /** What PostgreSQL calls the data directory. */
  data: string
  password: string
}

/**
 * Where the cluster really lives. PostgreSQL must be able to walk down to its data; when the wanted
 * folder is below a private one it goes to /var/tmp, which outlives a reboot, under a name that the
 * wanted folder always leads to.
 */
export function clusterHome(dataDir: string, user: OsUser): string {
  const wanted = resolve(dataDir)
  mkdirSync(wanted, { recursive: true })
  // Passing through is enough; listing stays ours.
  if (user.uid !== undefined) chmodSync(wanted, 0o711)
  if (canEnter(wanted, user)) return wanted
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 16)
  const home = join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), `guidon-data-${key}`)
  mkdirSync(home, { recursive: true, mode: 0o711 })
  if (!isOwnDirectory(home)) throw new PlainProblem(`${home} is in the way. Remove it first.`)
  writeFileSync(join(wanted, 'moved-to'), `${home}\n`)
  return home
}

/** Opens the cluster in `home`, making it first where there is none. */
export function openCluster(
  home: string,
  binaries: Binaries,
  user: OsUser,
  durable: boolean,
): Cluster {
  const data = join(home, 'cluster')
  const passwordFile = join(home, 'password')
  if (existsSync(data)) {
    const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    if (version !== MAJOR) {
      throw new PlainProblem(
        `${data} belongs to PostgreSQL ${version}. Remove ${home} to start afresh.`,
      )
    }
    return { data, password: readFileSync(passwordFile, 'utf8').trim() }
  }
  const password = randomBytes(24).toString('base64url')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  chmodSync(passwordFile, 0o600)
  // Made aside and moved into place whole, so that an interrupted first start leaves no half cluster.
  for (const name of readdirSync(home).filter((entry) => entry.startsWith('cluster.'))) {
    rmSync(join(home, name), { recursive: true, force: true })
  }
  const fresh = join(home, 'cluster.new')
  initialise(fresh, password, binaries, user, durable)
  renameSync(fresh, data)
  return { data, password }
}

function initialise(
  data: string,
  password: string,
  binaries: Binaries,
  user: OsUser,
  durable: boolean,
): void {
  const passwordFile = `${data}.password`
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(data, user.uid, user.gid)
    chownSync(passwordFile, user.uid, user.gid)
  }
  const made = spawnSync(
    binaries.initdb,
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durable ? [] : ['--no-sync']),
    ],
    { ...user, cwd: '/', env: postgresEnv(), encoding: 'utf8' },
  )
  rmSync(passwordFile, { force: true })
  if (made.status !== 0) {
    rmSync(data, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not make its cluster: ${made.error ?? made.stderr}`)
  }
}

/** Nothing of the caller's: a PGDATA or PGPORT meant for another server would be obeyed. */
export function postgresEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}
