import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writable } from './writable.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-writable-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('wants room for a whole file, and leaves nothing behind', async () => {
  await writable(folder, 1)
  await expect(writable(folder, Number.MAX_SAFE_INTEGER)).rejects.toThrow('full')
  expect(readdirSync(folder)).toEqual([])
})

it('wants a folder that is there', async () => {
  await expect(writable(join(folder, 'gone'), 1)).rejects.toThrow('ENOENT')
})
