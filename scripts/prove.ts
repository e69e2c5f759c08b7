import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pageOf } from './prove/page.ts'
import { proofs } from './prove/proofs.ts'
import { PAGE, proveAll, resultsIn } from './prove/results.ts'
import { run } from './prove/run.ts'

/**
 * Runs one proof at full size, or all of them, and prints the results. With `--control REVISION`, a proof that
 * supports it also runs on that Git revision, for comparison. `all` stores each result and writes the page about them;
 * it skips what has passed on the same revision, unless `--again` is given, and takes the control from the list.
 */

const root = resolve(import.meta.dirname, '..')
const results = resultsIn(root)
const names = proofs.map(({ name }) => name)
const controlOf = (name: string) => proofs.find((proof) => proof.name === name)?.control

const writePage = () => {
  writeFileSync(join(root, PAGE), pageOf(proofs, results.newest()))
  console.log(`Wrote ${PAGE}.`)
}

function all(again: boolean): boolean {
  const changes = results.uncommitted()
  if (changes !== '') {
    console.error(`Commit or remove these files first:\n${changes}`)
    return false
  }
  if (again) results.forget(results.revision())
  const failed = proveAll(names, results, (name) => run(name, controlOf(name)))
  writePage()
  console.log(failed.length === 0 ? 'All proofs passed.' : `Failed: ${failed.join(', ')}`)
  return failed.length === 0
}

const {
  values: { control, again },
  positionals: [name],
} = parseArgs({
  options: {
    control: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (name === undefined) {
  console.log(
    `Usage: npm run prove -- <name> [--control REVISION]
       npm run prove -- all [--again]   runs all and writes ${PAGE}
       npm run prove -- page            writes ${PAGE} from stored results
Proofs:\n  ${names.join('\n  ')}`,
  )
} else if (name === 'all') {
  process.exitCode = all(again) ? 0 : 1
} else if (name === 'page') {
  writePage()
} else if (names.includes(name)) {
  process.exitCode = run(name, control).passed ? 0 : 1
} else {
  console.error(`Unknown proof ${name}. Known: ${names.join(', ')}`)
  process.exitCode = 1
}
