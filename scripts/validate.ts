import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The gate: runs all checks one after the other, or those named as arguments (`node scripts/validate.ts lint types`).
 * A check with a test report counts each of its tests, any other check counts as one. All checks run even
 * if one fails, so that one run shows every failure.
 */

const root = resolve(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'guidon-reports-'))
const report = (name: string) => join(reports, `${name}.json`)

interface Count {
  passed: number
  failed: number
}

interface Check {
  name: string
  command: string[]
  env?: Record<string, string>
  /** Reads the counts from the report that the command wrote. */
  count?: () => Count
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
}

const read = (name: string): unknown => JSON.parse(readFileSync(report(name), 'utf8'))

const checks: Check[] = [
  { name: 'format', command: ['npm', 'run', 'format:check'] },
  { name: 'lint', command: ['npm', 'run', 'lint'] },
  { name: 'types', command: ['npm', 'run', 'types'] },
  { name: 'salesforce', command: ['npm', 'run', 'check:salesforce'] },
  { name: 'knip', command: ['npm', 'run', 'knip'] },
  {
    name: 'tests',
    command: [
      'npx',
      'vitest',
      'run',
      // One more than the gate has cores, because tests of the API also wait for jobs and timers.
      '--maxWorkers=3',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report('tests')}`,
    ],
    count: () => {
      const { numPassedTests, numFailedTests } = read('tests') as VitestReport
      return { passed: numPassedTests, failed: numFailedTests }
    },
  },
  { name: 'previous-release', command: ['node', 'scripts/previous-release.ts'] },
  { name: 'build', command: ['npm', 'run', 'build'] },
  {
    name: 'journeys',
    command: ['npm', 'run', 'e2e', '--', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report('journeys') },
    // A journey that needs a second attempt is a defect, so it counts as failed.
    count: () => {
      const { expected, unexpected, flaky } = (read('journeys') as PlaywrightReport).stats
      return { passed: expected, failed: unexpected + flaky }
    },
  },
]

async function run({ command: [program = '', ...args], env }: Check): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((done) => {
    child.on('error', () => done(false))
    child.on('exit', (code) => done(code === 0))
  })
}

function countOf(check: Check, ok: boolean): Count {
  try {
    const count = check.count?.() ?? { passed: Number(ok), failed: Number(!ok) }
    // A runner can fail without a failed test, for example because a file does not load.
    return !ok && count.failed === 0 ? { ...count, failed: 1 } : count
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  const knownNames = checks.map(({ name }) => name).join(', ')
  console.error(`Unknown check: ${unknown.join(', ')}. The checks are: ${knownNames}.`)
  rmSync(reports, { recursive: true })
  process.exit(2)
}
const selected = checks.filter(({ name }) => names.length === 0 || names.includes(name))

const total: Count = { passed: 0, failed: 0 }
const lines: string[] = []
for (const check of selected) {
  console.log(`\n— ${check.name}`)
  const started = performance.now()
  const { passed, failed } = countOf(check, await run(check))
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  lines.push(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${check.name}: ${passed} passed, ${failed} failed (${seconds} s)`,
  )
}
rmSync(reports, { recursive: true })
console.log(`\n${lines.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
