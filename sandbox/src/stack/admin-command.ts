import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { NODE } from './stack-process.ts'
import type { Program } from './stack-process.ts'

interface AdminCli {
  program?: Program | undefined
  script: string
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Runs the admin CLI of the product and returns what it printed. */
export async function runAdminCommand(
  { program = NODE, script, cwd, env }: AdminCli,
  args: readonly string[],
  input = '',
): Promise<string> {
  const child = spawn(program[0], [...program.slice(1), script, ...args], {
    cwd,
    env,
    stdio: 'pipe',
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (child.exitCode !== 0) throw new Error(`admin ${args.join(' ')} failed:\n${errors}${output}`)
  return output
}
