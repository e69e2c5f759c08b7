import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Resolves when a file of this size could be written there now. */
export async function writable(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < bytes) throw new Error('the disk is full')
  // Room is not all: the folder may be gone, read-only, or out of names.
  const file = join(directory, `probe-${randomUUID()}`)
  try {
    await writeFile(file, 'x', { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(file, { force: true })
  }
}
