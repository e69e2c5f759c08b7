import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

/** Runs one benchmark. It prints the figures of each part at once and its results at the end, and fails if a goal is missed. */

const folder = resolve(import.meta.dirname, '../tests/bench')
const names = [
  'sign-in',
  'dashboard',
  'mirror',
  'upload',
  'listing',
  'table',
  'accounts',
  'check-auth',
  'audit',
  'first-load',
  'static',
]

const [name, ...options] = process.argv.slice(2)
if (name === undefined) {
  console.log(`Usage: npm run bench -- <name>\nBenchmarks:\n  ${names.join('\n  ')}`)
} else if (!names.includes(name)) {
  console.error(`Unknown benchmark ${name}. Known: ${names.join(', ')}`)
  process.exitCode = 1
} else {
  const args = [join(folder, `${name}.ts`), ...options]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
