import { startBoxSandbox } from '@guidon/tests/files/box-store'
import type { UploadTask } from '@guidon/tests/files/upload-process'
import { startHelper } from '@guidon/tests/outside/helper-process'
import { expect, it } from 'vitest'

const MB = 1_000_000
const MAX_GROWTH_BYTES = 32 * MB
const SCRIPT = new URL('../../../../tests/support/files/upload-process.ts', import.meta.url)

it('uploads and downloads files of 19 and 100 MB with flat memory', async () => {
  const { box, sandbox, options } = await startBoxSandbox()
  const uploads = startHelper<UploadTask, number[]>(SCRIPT, ['--expose-gc'])
  const sizes = [19 * MB, 100 * MB]
  const growth = await uploads.run({ options: { ...options, timeoutMs: 60_000 }, sizes })
  uploads.stop()
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
