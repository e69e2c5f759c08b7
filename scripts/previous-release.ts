import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Holds the promise that a release's migrations leave the previous release working: while an upgrade
 * goes from process to process, and when it is taken back. The last release's own tests of the API are
 * run, with its own code and packages, on a database made by today's migrations.
 */

const root = resolve(import.meta.dirname, '..')
const MIGRATIONS = 'api/migrations'

const PATIENCE_MS = 600_000

function run(cwd: string, program: string, args: string[]): boolean {
  return spawnSync(program, args, { cwd, stdio: 'inherit', timeout: PATIENCE_MS }).status === 0
}

function lastRelease(): string | undefined {
  // From the commit before: a release is held against the one before it, not against itself.
  const args = ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^']
  const found = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (found.status === 0) return found.stdout.trim()
  console.log('No release (a tag v*) before this commit: nothing to be compatible with yet.')
  console.log(`git says: ${found.error?.message ?? found.stderr.trim()}`)
  return undefined
}

/** A migration that ran somewhere never runs there again, and new ones run after all others. */
function pastKept(released: string): boolean {
  const [before, now] = [join(released, MIGRATIONS), join(root, MIGRATIONS)]
  const old = readdirSync(before)
  const changed = old.filter((name) => {
    const kept = readdirSync(now).includes(name)
    return !kept || !readFileSync(join(before, name)).equals(readFileSync(join(now, name)))
  })
  const last = old.toSorted().at(-1) ?? ''
  const early = readdirSync(now).filter((name) => !old.includes(name) && name < last)
  for (const name of changed) console.log(`${name} was released, and is changed or gone.`)
  for (const name of early) console.log(`${name} is new, and must be numbered after ${last}.`)
  return changed.length + early.length === 0
}

/** Those that boot the product or ask the database; the rest cannot tell one schema from another. */
function databaseTests(released: string): string[] {
  const api = join(released, 'api')
  return globSync('src/**/*.test.ts', { cwd: api }).filter((file) =>
    /test\/(boot|databases)\.ts'/.test(readFileSync(join(api, file), 'utf8')),
  )
}

function survives(tag: string): boolean {
  const released = mkdtempSync(join(tmpdir(), 'guidon-release-'))
  try {
    if (!run(root, 'sh', ['-c', `git archive "$1" | tar -x -C "$2"`, 'sh', tag, released])) {
      return false
    }
    const kept = pastKept(released)
    rmSync(join(released, MIGRATIONS), { recursive: true })
    cpSync(join(root, MIGRATIONS), join(released, MIGRATIONS), { recursive: true })
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
    if (!run(released, 'npm', ['ci', ...quiet])) return false
    const tests = databaseTests(released)
    console.log(`${tag}: ${tests.length} files of tests on today's migrations`)
    const project = ['--project=api', '--maxWorkers=2', '--bail=3']
    return run(released, 'npx', ['vitest', 'run', ...project, ...tests]) && kept
  } finally {
    rmSync(released, { recursive: true, force: true })
  }
}

const tag = lastRelease()
if (tag !== undefined) process.exitCode = survives(tag) ? 0 : 1
