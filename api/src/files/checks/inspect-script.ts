import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PREPARE = fileURLToPath(new URL('./inspect/prepare.ts', import.meta.url))
/** Linux limits an argument to this size. */
const MAX_OUTPUT_BYTES = 128 * 1024

let script: Promise<string> | undefined

/** The program that inspects files, built once in another process. */
export function inspectScript(): Promise<string> {
  script ??= prepare().catch((error: unknown) => {
    script = undefined
    throw error
  })
  return script
}

async function prepare(): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', PREPARE]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return stdout
}
