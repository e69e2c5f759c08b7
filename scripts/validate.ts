import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

/**
 * The gate: runs all checks one after the other, or those named as arguments (`node scripts/validate.ts lint types`).
 * A check with a test report counts each of its tests, any other check counts as one. All checks run even
 * if one fails, so that one run shows every failure.
 */

const root = resolve(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'guidon-reports-'))
const report = (name: string) => join(reports, `${name}.json`)

interface Result {
  passed: number
  failed: number
  /** File and name of each failed test. */
  failures?: string[]
  /** How long each file of tests took, to know where the time of the gate goes. */
  durations?: Duration[]
}
interface Duration {
  file: string
  ms: number
}

interface Check {
  name: string
  command: string[]
  env?: Record<string, string>
  /** Reads the result from the report that the command wrote. */
  result?: () => Result
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
}
interface PlaywrightSuite {
  file: string
  specs: {
    title: string
    tests: { projectName: string; status: string; results: { duration: number }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

const read = (name: string): unknown => JSON.parse(readFileSync(report(name), 'utf8'))

function resultOfTests(): Result {
  const { numPassedTests, numFailedTests, testResults } = read('tests') as VitestReport
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const titles =
        failed.length > 0 ? failed.map(({ fullName }) => fullName) : ['(the whole file)']
      return titles.map((title) => `${relative(root, name)}: ${title}`)
    })
  const durations = testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    ms: endTime - startTime,
  }))
  return { passed: numPassedTests, failed: numFailedTests, failures, durations }
}

function resultOfJourneys(): Result {
  const { stats, suites } = read('journeys') as PlaywrightReport
  const failuresIn = ({ file, specs, suites: inner = [] }: PlaywrightSuite): string[] => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ projectName }) => `tests/e2e/${file}: ${title} (${projectName})`),
    ),
    ...inner.flatMap(failuresIn),
  ]
  const durationsIn = ({ file, specs, suites: inner = [] }: PlaywrightSuite): Duration[] => [
    ...specs.flatMap(({ tests }) =>
      tests.flatMap(({ results }) =>
        results.map(({ duration }) => ({ file: `tests/e2e/${file}`, ms: duration })),
      ),
    ),
    ...inner.flatMap(durationsIn),
  ]
  // A journey that needs a second attempt is a defect, so it counts as failed.
  const failed = stats.unexpected + stats.flaky
  return {
    passed: stats.expected,
    failed,
    failures: suites.flatMap(failuresIn),
    durations: suites.flatMap(durationsIn),
  }
}

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
    result: resultOfTests,
  },
  { name: 'previous-release', command: ['node', 'scripts/previous-release.ts'] },
  { name: 'build', command: ['npm', 'run', 'build'] },
  {
    name: 'journeys',
    command: ['npm', 'run', 'e2e', '--', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report('journeys') },
    result: resultOfJourneys,
  },
]

async function run({ command: [program = '', ...args], env }: Check): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'inherit',
    // The tests start some hundred processes of Node, each of which would compile the same code.
    env: { NODE_COMPILE_CACHE: join(reports, 'compiled'), ...process.env, ...env },
  })
  return new Promise((done) => {
    child.on('error', () => done(false))
    child.on('exit', (code) => done(code === 0))
  })
}

function resultOf(check: Check, ok: boolean): Result {
  try {
    const result = check.result?.() ?? { passed: Number(ok), failed: Number(!ok) }
    // A runner can fail without a failed test, for example because a file does not load.
    return !ok && result.failed === 0 ? { ...result, failed: 1 } : result
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

const SLOWEST = 10

/** The journeys of one file are added up. */
function slowestOf(durations: readonly Duration[]): string[] {
  const byFile = new Map<string, number>()
  for (const { file, ms } of durations) byFile.set(file, (byFile.get(file) ?? 0) + ms)
  return [...byFile]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`)
}

const total: Result = { passed: 0, failed: 0 }
const lines: string[] = []
const allDurations: Duration[] = []
for (const check of selected) {
  console.log(`\n— ${check.name}`)
  const started = performance.now()
  const { passed, failed, failures = [], durations = [] } = resultOf(check, await run(check))
  allDurations.push(...durations)
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  lines.push(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${check.name}: ${passed} passed, ${failed} failed (${seconds} s)`,
    ...failures.map((failure) => `         ${failure}`),
  )
}
rmSync(reports, { recursive: true })
console.log(`\n${lines.join('\n')}\n`)
if (allDurations.length > 0) console.log(`Slowest files:\n${slowestOf(allDurations).join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
