import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Runs one proof at its full size and prints its figures last. */

const root = resolve(import.meta.dirname, '..')
const ENDING = '.test.ts'

const names = readdirSync(join(root, 'api/proof'))
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))

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
      `proof/${name}${ENDING}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PROOF: 'full', PROOF_CONTROL: control } },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(folder, { recursive: true })
  console.log(`\n${name}`)
  for (const { status: verdict, title, meta } of testResults.flatMap((r) => r.assertionResults)) {
    console.log(`${verdict === 'passed' ? 'proved' : 'MISSED'} ${title}`)
    for (const line of meta.figures ?? []) console.log(`       ${line}`)
  }
  return status === 0
}

const {
  values: { control },
  positionals: [name],
} = parseArgs({ options: { control: { type: 'string', default: '' } }, allowPositionals: true })
if (name === undefined) {
  console.log(
    `npm run prove -- <name> [--control REVISION], where the name is one of:\n  ${names.join('\n  ')}`,
  )
} else if (!names.includes(name)) {
  console.error(`There is no proof ${name}. There are: ${names.join(', ')}`)
  process.exitCode = 1
} else {
  process.exitCode = prove(name, control) ? 0 : 1
}
