import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

interface TestResult {
  status: string
  title: string
  figures: string[]
}

export interface Run {
  passed: boolean
  tests: TestResult[]
}

interface Report {
  testResults: {
    assertionResults: { status: string; title: string; meta: { figures?: string[] } }[]
  }[]
}

function testsOf(report: string): TestResult[] {
  // Missing if the runner itself has failed.
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ status, title, meta }) => ({ status, title, figures: meta.figures ?? [] }))
}

/** Runs a proof at full size and prints its results. */
export function run(name: string, control = ''): Run {
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
    { cwd: root, stdio: 'inherit', env: { ...process.env, PROOF: 'full', PROOF_CONTROL: control } },
  )
  const tests = testsOf(report)
  rmSync(folder, { recursive: true })
  console.log(`\n${name}`)
  for (const { status: result, title, figures } of tests) {
    console.log(`${result === 'passed' ? 'proved' : result.toUpperCase()} ${title}`)
    for (const line of figures) console.log(line.startsWith('|') ? line : `       ${line}`)
  }
  return { passed: status === 0, tests }
}
