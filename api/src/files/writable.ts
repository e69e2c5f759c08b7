import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_FULL_CODES.has(String(error.code))

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/**
 * Rejects if the folder is missing or read-only. Resolves if the disk is full: uploads are then refused
 * with a message, and the API stays ready.
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
