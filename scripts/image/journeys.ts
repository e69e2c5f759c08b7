import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const TIMEOUT_MS = 420_000

/** Includes uploads, because the image contains the programs that check files. */
const JOURNEYS = ['sign-in.spec', 'session.spec', 'documents.spec', '--project=desktop']

export async function runJourneys(root: string): Promise<[result: string, ok: boolean]> {
  const child = spawn('npm', ['run', '--silent', 'e2e', '--', ...JOURNEYS], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, GUIDON_IMAGE_ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  const passed = /(\d+) passed/.exec(output)?.[1]
  const isOk = child.exitCode === 0 && passed !== undefined
  if (!isOk) console.log(output)
  return [`${passed ?? 0} passed`, isOk]
}
