import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freeBytes, isDiskFull, writable } from './writable.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-writable-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('writes to an existing folder and leaves nothing behind', async () => {
  await writable(folder)
  expect(readdirSync(folder)).toEqual([])
})

it('rejects a missing folder', async () => {
  await expect(writable(join(folder, 'gone'))).rejects.toThrow('ENOENT')
})

it('reports free space, and distinguishes a full disk from other errors', async () => {
  expect(await freeBytes(folder)).toBeGreaterThan(0)
  // Linux has a device that is always full.
  const full = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  expect(isDiskFull(full)).toBe(true)
  const gone = await writable(join(folder, 'gone')).catch((error: unknown) => error)
  expect(isDiskFull(gone)).toBe(false)
})
