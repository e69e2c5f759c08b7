import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startBoxSandbox } from '@guidon/tests/files/box-store'
import { expect, it } from 'vitest'

const MB = 1_000_000
const MAX_GROWTH_BYTES = 32 * MB
const SCRIPT = `${import.meta.dirname}/../../../../tests/support/files/upload-process.ts`

it('uploads and downloads files of 19 and 100 MB with flat memory', async () => {
  const { box, sandbox, options } = await startBoxSandbox()
  const child = fork(SCRIPT, { execArgv: ['--expose-gc'] })
  const sizes = [19 * MB, 100 * MB]
  child.send({ options: { ...options, timeoutMs: 60_000 }, sizes })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the process failed')))
  const [growth] = (await Promise.race([once(child, 'message'), failed])) as [number[]]
  process.stdout.write(
    `memory grew by ${growth.map((bytes) => Math.round(bytes / MB)).join()} MB\n`,
  )
  expect(Math.max(...growth)).toBeLessThan(MAX_GROWTH_BYTES)
  const stored = await sandbox.files()
  // The first is a warm-up file, which is replaced with a file of each size.
  expect(stored.map((file) => file.size)).toEqual([100 * MB, ...sizes])
  expect(stored[0]?.versions).toHaveLength(3)
  await box.close()
})
