import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Checks that today's migrations leave the previous release working, so that an upgrade can replace one
 * process at a time and can be undone. Runs the API tests of the last release, with its own code and
 * packages, on a database with today's migrations. There is nothing to check before release 1.0, because no earlier
 * one was deployed.
 */

const root = resolve(import.meta.dirname, '..')
const MIGRATIONS = 'api/migrations'
const COMMAND_TIMEOUT_MS = 600_000

function succeeds(cwd: string, program: string, args: string[]): boolean {
  const { status } = spawnSync(program, args, {
    cwd,
    stdio: 'inherit',
    timeout: COMMAND_TIMEOUT_MS,
  })
  return status === 0
}

function findLastRelease(): string | undefined {
  // Starts at the parent commit, so that a release is compared with the one before it.
  const args = ['describe', '--tags', '--abbrev=0', '--match', 'v[1-9]*', 'HEAD^']
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  console.log('No release from 1.0 on (tag v*) before this commit: nothing to check.')
  console.log(`git: ${error?.message ?? stderr.trim()}`)
  return undefined
}

/** Released migrations must stay as they are, and new ones must come after them. */
function checkMigrationFiles(releaseDir: string): boolean {
  const [releasedDir, currentDir] = [join(releaseDir, MIGRATIONS), join(root, MIGRATIONS)]
  const released = readdirSync(releasedDir).toSorted()
  const current = readdirSync(currentDir)
  const isUnchanged = (name: string) =>
    current.includes(name) &&
    readFileSync(join(releasedDir, name)).equals(readFileSync(join(currentDir, name)))

  const changed = released.filter((name) => !isUnchanged(name))
  const last = released.at(-1) ?? ''
  const tooEarly = current.filter((name) => !released.includes(name) && name < last)
  for (const name of changed) console.log(`${name} was released, and is changed or deleted.`)
  for (const name of tooEarly) console.log(`${name} is new, and must be numbered after ${last}.`)
  return changed.length + tooEarly.length === 0
}

/** Tests that start the app or use the database; the schema cannot affect any other test. */
function findDatabaseTests(releaseDir: string): string[] {
  const api = join(releaseDir, 'api')
  return globSync('src/**/*.test.ts', { cwd: api }).filter((file) =>
    readFileSync(join(api, file), 'utf8').includes("from '@guidon/tests/"),
  )
}

function extractRelease(tag: string, releaseDir: string): boolean {
  const script = 'git archive "$1" | tar -x -C "$2"'
  return succeeds(root, 'sh', ['-c', script, 'sh', tag, releaseDir])
}

function useCurrentMigrations(releaseDir: string): void {
  rmSync(join(releaseDir, MIGRATIONS), { recursive: true })
  cpSync(join(root, MIGRATIONS), join(releaseDir, MIGRATIONS), { recursive: true })
}

function installPackages(releaseDir: string): boolean {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  return succeeds(releaseDir, 'npm', ['ci', ...options])
}

function runDatabaseTests(tag: string, releaseDir: string): boolean {
  const tests = findDatabaseTests(releaseDir)
  console.log(`${tag}: ${tests.length} test files on today's migrations`)
  const options = ['--project=api', '--maxWorkers=2', '--bail=3']
  return succeeds(releaseDir, 'npx', ['vitest', 'run', ...options, ...tests])
}

function isCompatibleWith(tag: string): boolean {
  const releaseDir = mkdtempSync(join(tmpdir(), 'guidon-release-'))
  try {
    if (!extractRelease(tag, releaseDir)) return false
    const areFilesValid = checkMigrationFiles(releaseDir)
    useCurrentMigrations(releaseDir)
    return installPackages(releaseDir) && runDatabaseTests(tag, releaseDir) && areFilesValid
  } finally {
    rmSync(releaseDir, { recursive: true, force: true })
  }
}

const tag = findLastRelease()
if (tag !== undefined) process.exitCode = isCompatibleWith(tag) ? 0 : 1
