import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PREPARE = fileURLToPath(new URL('./judge/prepare.ts', import.meta.url))
/** More than a script may have as an argument. */
const MOST_OUTPUT = 128 * 1024

let script: Promise<string> | undefined

/** The program that judges files, made once and in another process. */
export function judgeScript(): Promise<string> {
  script ??= prepare().catch((error: unknown) => {
    script = undefined
    throw error
  })
  return script
}

async function prepare(): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', PREPARE]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: MOST_OUTPUT })
  return stdout
}
