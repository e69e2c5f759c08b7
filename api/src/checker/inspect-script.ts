import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const BUNDLER = fileURLToPath(new URL('./inspect/bundle.ts', import.meta.url))
/** The script is passed as an argument, which Linux limits to this size. */
const MAX_OUTPUT_BYTES = 128 * 1024

/** Builds the program that inspects files, in another process. */
export async function inspectScript(): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', BUNDLER]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return stdout
}
