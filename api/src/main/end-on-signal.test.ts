import { checkAuth } from '@guidon/contract/auth'
import { startApiProcess } from '@guidon/tests/api-process'
import type { ApiProcess } from '@guidon/tests/api-process'
import { afterEach, expect, it } from 'vitest'

const running: ApiProcess[] = []
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
