import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FULL = new Set(['ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/**
 * Resolves when files can be written there, also while the disk is full: uploads are then refused in
 * words, and everything else goes on. Rejects when the folder is gone or read-only.
 */
export async function writable(directory: string): Promise<void> {
  const file = join(directory, `probe-${randomUUID()}`)
  try {
    await writeFile(file, 'x', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isDiskFull(error)) throw error
  } finally {
    await rm(file, { force: true })
  }
}
