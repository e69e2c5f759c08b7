import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Environment } from '../../api/src/platform/value-files.ts'

/** Runs a program of `api/src/main` to its end. */
export async function runProgram(
  program: 'admin/admin-cli' | 'serve' | 'work',
  args: readonly string[],
  env: Environment,
  input = '',
) {
  const script = join(import.meta.dirname, `../../api/src/main/${program}.ts`)
  const child = spawn(process.execPath, [script, ...args], { env, stdio: 'pipe' })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, status: child.exitCode }
}

export const runAdmin = (args: readonly string[], env: Environment, input = '') =>
  runProgram('admin/admin-cli', args, env, input)
