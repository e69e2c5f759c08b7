import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PAGE } from './prove/page.ts'
import { productIn } from './prove/product.ts'
import { GROUPS, proofs } from './prove/proofs.ts'
import { pageIn, proveEach } from './prove/prove-each.ts'
import { hasRun, run } from './prove/run.ts'
import { COMMANDS, isKnown, proofsNamed, proofsTouchedBy } from './prove/select.ts'

/**
 * Runs proofs. At full size it stores each result on the page, if all changes of the product are committed. `all`
 * leaves out what has passed on the same revision of the product, so that several runs complete the page.
 */

const names = proofs.map(({ name }) => name)

const USAGE = `Usage: npm run prove -- <name or group…> [--small] [--control REVISION]
       npm run prove -- all [--again]                       those that have not passed on this revision
       npm run prove -- touched [--since REVISION] [--list] those of what was changed
       npm run prove -- page                                writes ${PAGE} again from its rows

--small    a quick try, which is not stored
--again    repeats what has passed
--control  also runs hostile on this revision, for comparison
--since    the default is the upstream, origin/main or HEAD~1
--list     prints the names only

Groups: ${GROUPS.join(', ')}
Proofs:\n  ${names.join('\n  ')}`

const root = resolve(import.meta.dirname, '..')
const product = productIn(root)
const page = pageIn(root)

const { values: options, positionals } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    control: { type: 'string' },
    since: { type: 'string' },
  },
  allowPositionals: true,
})
const [command] = positionals

function selected(): string[] {
  if (command === 'all') return names
  if (command !== 'touched') return proofsNamed(positionals)
  const base = options.since ?? product.base()
  console.log(`Changed since ${base}:`)
  return proofsTouchedBy(product.changedSince(base))
}

function runProof(name: string) {
  const { control } = proofs.find((proof) => proof.name === name)!
  const listed = options.small ? '' : (control ?? '')
  return run(name, { small: options.small, control: options.control ?? listed })
}

function proveSmall(chosen: readonly string[]): string[] {
  const results = chosen.map((name) => ({ name, result: runProof(name) }))
  const namesOf = (list: typeof results) => list.map(({ name }) => name)
  const empty = results.filter(({ result }) => result.passed && !hasRun(result))
  if (empty.length > 0)
    console.log(`Nothing to run at the small size: ${namesOf(empty).join(', ')}`)
  return namesOf(results.filter(({ result }) => !result.passed))
}

function prove(chosen: readonly string[]): string[] {
  if (options.small) return proveSmall(chosen)
  return proveEach(chosen, {
    product,
    page,
    runProof,
    skipPassed: command === 'all' && !options.again,
  })
}

function main(): boolean {
  if (command === 'page') {
    page.write(page.rows())
    return true
  }
  const chosen = selected()
  if (options.list || command === 'touched') console.log(chosen.join('\n') || 'no proof')
  if (options.list) return true
  const changes = product.uncommitted()
  if (command === 'all' && !options.small && changes !== '') {
    console.error(`Commit or remove these files first:\n${changes}`)
    return false
  }
  const failed = prove(chosen)
  if (chosen.length > 1) {
    console.log(failed.length === 0 ? 'All proofs passed.' : `Failed: ${failed.join(', ')}`)
  }
  return failed.length === 0
}

const unknown = positionals.filter((name) => !COMMANDS.has(name) && !isKnown(name))
if (command === undefined) {
  console.log(USAGE)
} else if (unknown.length > 0) {
  console.error(`Unknown proof ${unknown.join(', ')}. \`npm run prove\` lists them.`)
  process.exitCode = 1
} else {
  process.exitCode = main() ? 0 : 1
}
