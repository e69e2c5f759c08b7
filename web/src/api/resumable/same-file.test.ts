import { CHUNK_BYTES } from '@guidon/contract/resumable-uploads'
import { expect, it } from 'vitest'
import { isSameFile } from './same-file.ts'

const bytes = new Uint8Array(2 * CHUNK_BYTES + 100).map((_, index) => index % 251)
const size = bytes.length
const hashOf = async (start: number, end: number) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes.slice(start, end))).toString('hex')
const fileOf = (content: Uint8Array<ArrayBuffer>) => new File([content], 'rating.pdf')
const changedAt = (index: number) => fileOf(bytes.with(index, 255))

const offset = CHUNK_BYTES + 500
const stored = {
  size,
  offset,
  chunks: [
    { start: 0, sha256: await hashOf(0, 70_000) },
    { start: 70_000, sha256: await hashOf(70_000, CHUNK_BYTES) },
    { start: CHUNK_BYTES, sha256: await hashOf(CHUNK_BYTES, offset) },
  ],
}

it('recognizes the file by its size and by the hash of each stored chunk', async () => {
  expect(await isSameFile(fileOf(bytes), stored)).toBe(true)
  expect(await isSameFile(fileOf(bytes), { size, offset: 0, chunks: [] })).toBe(true)
})

it.each([
  ['a longer file', fileOf(new Uint8Array([...bytes, 1]))],
  ['another first byte', changedAt(0)],
  ['another byte in a later chunk', changedAt(CHUNK_BYTES + 499)],
])('refuses %s', async (_, file) => {
  expect(await isSameFile(file, stored)).toBe(false)
})

it('cannot compare what the server does not have', async () => {
  expect(await isSameFile(changedAt(offset), stored)).toBe(true)
})
