import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { changesIn } from './test/changes.ts'
import { testsByChange } from './test/tests-by-change.ts'

/**
 * Runs the tests. With `--changed`, only those that check the uncommitted changes; with `--changed=REVISION`, the
 * changes since that revision. Vitest gets all other arguments.
 */

const root = resolve(import.meta.dirname, '..')
const CHANGED = /^--changed(?:=(.+))?$/
const LISTED = 40

const counted = (count: number) => (count === 1 ? '1 test file' : `${count} test files`)

function select(revision: string): string[] {
  const { files, changed } = changesIn(root, revision)
  const testsOf = testsByChange({ files, read: (file) => readFileSync(join(root, file), 'utf8') })
  console.log(`Changed since ${revision}, and what checks it:`)
  const selected = new Set<string>()
  for (const file of changed) {
    const tests = testsOf(file)
    console.log(`  ${file}: ${tests.length === 0 ? 'no test file' : counted(tests.length)}`)
    for (const test of tests) selected.add(test)
  }
  if (changed.length === 0) console.log('  nothing')
  if (selected.size <= LISTED) for (const test of [...selected].toSorted()) console.log(`→ ${test}`)
  console.log(`Selected: ${counted(selected.size)}. \`npm run validate\` runs all.\n`)
  return [...selected]
}

function vitest(args: readonly string[]): number {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--maxWorkers=2', ...args],
    {
      cwd: root,
      stdio: 'inherit',
      // Each worker, and each process that a test starts, would compile the same code.
      env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env },
    },
  )
  return status ?? 1
}

const args = process.argv.slice(2)
const option = args.map((arg) => CHANGED.exec(arg)).find((match) => match !== null)
const others = args.filter((arg) => !CHANGED.test(arg))
if (option === undefined) process.exitCode = vitest(others)
else {
  const selected = select(option?.[1] ?? 'HEAD')
  const projects = new Set(selected.map((test) => `--project=${test.split('/', 1)[0]}`))
  // The full paths, because a part of a path would select others too.
  const paths = selected.map((test) => join(root, test))
  process.exitCode = selected.length === 0 ? 0 : vitest([...projects, ...paths, ...others])
}
