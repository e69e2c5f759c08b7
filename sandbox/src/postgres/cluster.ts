import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserError } from '../user-error.ts'
import type { Binaries } from './binaries.ts'
import { canEnter } from './os-user.ts'
import type { OsUser } from './os-user.ts'
import { isOwnDirectory } from './own-directory.ts'

const MAJOR = '18'

interface Cluster {
  /** PostgreSQL's data directory. */
  data: string
  password: string
}

/**
 * The folder of the cluster. PostgreSQL must be able to enter it; if `dataDir` is below a private
 * folder, the cluster goes to /var/tmp, which survives a reboot, under a name derived from `dataDir`.
 */
export function clusterHome(dataDir: string, user: OsUser): string {
  const requested = resolve(dataDir)
  mkdirSync(requested, { recursive: true })
  // Others may enter the folder, but not list it.
  if (user.uid !== undefined) chmodSync(requested, 0o711)
  if (canEnter(requested, user)) return requested
  const key = createHash('sha256').update(requested).digest('hex').slice(0, 16)
  const home = join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), `guidon-data-${key}`)
  mkdirSync(home, { recursive: true, mode: 0o711 })
  if (!isOwnDirectory(home)) throw new UserError(`${home} is in the way. Remove it first.`)
  writeFileSync(join(requested, 'moved-to'), `${home}\n`)
  return home
}

/** Opens the cluster in `home`, and creates it if there is none. */
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
      throw new UserError(
        `${data} belongs to PostgreSQL ${version}. Remove ${home} to start afresh.`,
      )
    }
    return { data, password: readFileSync(passwordFile, 'utf8').trim() }
  }
  const password = randomBytes(24).toString('base64url')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  chmodSync(passwordFile, 0o600)
  // Created under another name and renamed, so that an interrupted first start leaves no partial cluster.
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
  const initdb = spawnSync(
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
  if (initdb.status !== 0) {
    rmSync(data, { recursive: true, force: true })
    throw new UserError(`PostgreSQL could not create its cluster: ${initdb.error ?? initdb.stderr}`)
  }
}

/** Without the caller's variables: PostgreSQL would use a PGDATA or PGPORT meant for another server. */
export function postgresEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}
