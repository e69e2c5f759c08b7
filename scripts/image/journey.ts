import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const LONGEST_MS = 300_000

/** The journeys of signing in, on two APIs and two workers of the image. */
export async function journeyPasses(root: string): Promise<[saw: string, ok: boolean]> {
  const child = spawn('npm', ['run', '--silent', 'e2e', '--', 'sign-in', '--project=desktop'], {
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
