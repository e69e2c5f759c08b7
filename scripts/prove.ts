import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs one proof at full size and prints its results at the end. With `--control REVISION`, a proof that
 * supports it also runs on that Git revision, for comparison.
 */

const root = resolve(import.meta.dirname, '..')
const EXTENSION = '.test.ts'

const names = readdirSync(join(root, 'api/proof'))
  .filter((file) => file.endsWith(EXTENSION))
  .map((file) => file.slice(0, -EXTENSION.length))

interface Report {
  testResults: { assertionResults: { status: string; title: string; meta: Meta }[] }[]
}
interface Meta {
  figures?: string[]
}

function prove(name: string, control: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-proof-'))
  const report = join(folder, 'report.json')
  const { status } = spawnSync(
    'npx',
    [
      'vitest',
      'run',
      '--project=api',
      `proof/${name}${EXTENSION}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PROOF: 'full', PROOF_CONTROL: control } },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(folder, { recursive: true })
  console.log(`\n${name}`)
  for (const { status: result, title, meta } of testResults.flatMap((r) => r.assertionResults)) {
    console.log(`${result === 'passed' ? 'proved' : result.toUpperCase()} ${title}`)
    for (const line of meta.figures ?? [])
      console.log(line.startsWith('|') ? line : `       ${line}`)
  }
  return status === 0
}

const {
  values: { control },
  positionals: [name],
} = parseArgs({ options: { control: { type: 'string', default: '' } }, allowPositionals: true })
if (name === undefined) {
  console.log(
    `Usage: npm run prove -- <name> [--control REVISION]\nProofs:\n  ${names.join('\n  ')}`,
  )
} else if (!names.includes(name)) {
  console.error(`Unknown proof ${name}. Known: ${names.join(', ')}`)
  process.exitCode = 1
} else {
  process.exitCode = prove(name, control) ? 0 : 1
}
