import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Headline } from '../../tests/proof/figures.ts'

const root = resolve(import.meta.dirname, '../..')
/** Git ignores it. The workflow keeps it for some time. */
const OUTPUT = join(root, 'proof-results')

interface TestResult {
  status: string
  title: string
  figures: string[]
  headlines: Headline[]
  failures: string[]
}

export interface Run {
  passed: boolean
  tests: TestResult[]
}

/** Whether any test has run, so was not skipped. */
export const hasRun = ({ tests }: Pick<Run, 'tests'>) =>
  tests.some(({ status }) => status === 'passed' || status === 'failed')

interface Size {
  small: boolean
  /** A revision to run the same proof on for comparison; empty for none. */
  control: string
}

interface Report {
  testResults: {
    assertionResults: {
      status: string
      title: string
      failureMessages?: string[]
      meta: { figures?: string[]; headlines?: Headline[] }
    }[]
  }[]
}

function testsOf(report: string): TestResult[] {
  // Missing if the runner itself has failed.
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ status, title, failureMessages = [], meta }) => ({
      status,
      title,
      figures: meta.figures ?? [],
      headlines: meta.headlines ?? [],
      failures: failureMessages,
    }))
}

function textOf(name: string, tests: readonly TestResult[]): string {
  const lines = tests.flatMap(({ status, title, figures, failures }) => [
    `${status === 'passed' ? 'proved' : status.toUpperCase()} ${title}`,
    ...figures.map((line) => (line.startsWith('|') ? line : `       ${line}`)),
    ...failures,
  ])
  return [name, ...lines, ''].join('\n')
}

/** Runs a proof, prints its results and writes them to `proof-results/<name>.txt`. */
export function run(name: string, { small, control }: Size): Run {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-proof-'))
  const report = join(folder, 'report.json')
  const { status } = spawnSync(
    'npx',
    [
      'vitest',
      'run',
      '--config=tests/proof/vitest.config.ts',
      `/${name}.test.ts`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PROOF: small ? 'small' : 'full', PROOF_CONTROL: control },
    },
  )
  const tests = testsOf(report)
  rmSync(folder, { recursive: true })
  const text = textOf(name, tests)
  mkdirSync(OUTPUT, { recursive: true })
  writeFileSync(join(OUTPUT, `${name}.txt`), text)
  console.log(`\n${text}`)
  return { passed: status === 0 && (small || hasRun({ tests })), tests }
}
