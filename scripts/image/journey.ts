import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const LONGEST_MS = 420_000

/** Signing in, and uploading, for which the image has programs of its own; on two APIs and two workers of it. */
const JOURNEYS = ['sign-in.spec', 'session.spec', 'documents.spec', '--project=desktop']

export async function journeysPass(root: string): Promise<[saw: string, ok: boolean]> {
  const child = spawn('npm', ['run', '--silent', 'e2e', '--', ...JOURNEYS], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, GUIDON_IMAGE_ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LONGEST_MS,
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  const passed = /(\d+) passed/.exec(output)?.[1]
  const isWell = child.exitCode === 0 && passed !== undefined
  if (!isWell) console.log(output)
  return [`${passed ?? 0} passed`, isWell]
}
