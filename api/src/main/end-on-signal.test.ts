import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkAuth } from '@guidon/contract/auth'
import { migratedDatabase, urlForApi } from '@guidon/tests/databases'
import { afterEach, expect, inject, it } from 'vitest'

/** Starts the API as a process with its own database. */
async function startApiProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts')], {
    env: {
      ...inject('environment'),
      DATABASE_URL: urlForApi(await migratedDatabase()),
      HOST: '127.0.0.1',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  /** Waits for the first log line with this message; it may have been logged already. */
  const waitForLog = async (message: string): Promise<string> => {
    for (;;) {
      const line = lines.find((each) => each.includes(`"msg":"${message}"`))
      if (line) return line
      const closed = once(reader, 'close').then(() => false)
      const more = once(reader, 'line').then(() => true)
      if (!(await Promise.race([more, closed])))
        throw new Error(`ended without the log line: ${message}`)
    }
  }
  const { address } = JSON.parse(await waitForLog('api ready')) as { address: string }
  return { base: address, waitForLog, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}

const running: Awaited<ReturnType<typeof startApiProcess>>[] = []
const start = async (drainSeconds: number) => {
  const process = await startApiProcess({ DRAIN_SECONDS: String(drainSeconds) })
  running.push(process)
  return process
}
afterEach(() => running.splice(0).forEach((process) => process.kill('SIGKILL')))

it('after SIGTERM, the API reports not ready, continues to serve, and then ends', async () => {
  const { base, kill, waitForLog, ended } = await start(3)
  expect((await fetch(`${base}/readyz`)).status).toBe(200)
  kill('SIGTERM')
  await waitForLog('shutdown: draining')
  expect((await fetch(`${base}/readyz`)).status).toBe(503)
  const response = await fetch(base + checkAuth.path)
  expect(response.status).toBe(401)
  expect(response.headers.get('connection')).toBe('close')
  expect(await ended).toBe(0)
})

it('after a second signal, the API ends at once', async () => {
  const { kill, waitForLog, ended } = await start(600)
  kill('SIGTERM')
  await waitForLog('shutdown: draining')
  const repeating = setInterval(() => kill('SIGTERM'), 100)
  expect(await ended).toBe(1)
  clearInterval(repeating)
})
