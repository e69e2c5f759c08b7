import { mkdtempSync, rmSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot } from '@guidon/tests/boot'
import { afterAll, expect, it, vi } from 'vitest'
import type { Log } from './log.ts'
import { readiness } from './readiness.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-ready-'))
afterAll(() => rmSync(folder, { recursive: true }))
const log = { info: vi.fn<Log['info']>(), warn: vi.fn<Log['warn']>() }

it('checks once for all requests at the same time', async () => {
  const check = vi.fn<() => Promise<void>>(async () => {})
  const { ready } = readiness({ check }, log)
  expect(await Promise.all(Array.from({ length: 100 }, ready))).not.toContain(false)
  expect(check).toHaveBeenCalledTimes(1)
})

it('does not wait for a check that hangs', async () => {
  const { ready } = readiness({ database: () => new Promise(() => {}) }, log)
  vi.useFakeTimers()
  const result = ready()
  await vi.advanceTimersToNextTimerAsync()
  vi.useRealTimers()
  expect(await result).toBe(false)
  expect(log.warn).toHaveBeenLastCalledWith(
    { kind: 'database', reason: 'no response' },
    'readiness: not ready',
  )
})

it('is false as soon as the process drains', async () => {
  const { ready, drain } = readiness({}, log)
  expect(await ready()).toBe(true)
  drain()
  expect(await ready()).toBe(false)
})

it('is false while the upload folder is not writable', async () => {
  const uploads = join(folder, 'uploads')
  const { newClient } = await boot({ worker: false, environment: { UPLOAD_DIR: uploads } })
  const waitForStatus = (status: number) =>
    vi.waitFor(async () => expect((await newClient().send('GET', '/readyz')).status).toBe(status), {
      timeout: 60_000,
    })
  await waitForStatus(200)
  rmSync(uploads, { recursive: true })
  await waitForStatus(503)
  mkdirSync(uploads)
  await waitForStatus(200)
})
