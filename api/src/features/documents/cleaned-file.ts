import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Accepted } from '../../files/checks/check-file.ts'
import { throwStorageError } from './receive.ts'
import type { Received } from './receive.ts'

const SLICE_BYTES = 1024 * 1024

export interface CleanedFile extends Received {
  /** Of the file as it was received; null if nothing was removed from it. */
  receivedSha256: Buffer | null
}

/** Copies the parts of a photo that are kept beside the received file. Any other file stays as it is. */
export async function cleanedFile(
  received: Received,
  clean: Accepted['clean'],
): Promise<CleanedFile> {
  if (!clean) return { ...received, receivedSha256: null }
  const path = `${received.path}-clean`
  const sha256 = createHash('sha256')
  let size = 0
  await using source = await open(received.path)
  await using target = await open(path, 'wx', 0o600).catch(throwStorageError)
  const write = async (bytes: Uint8Array) => {
    sha256.update(bytes)
    size += bytes.length
    await target.writeFile(bytes).catch(throwStorageError)
  }
  await write(Uint8Array.from(clean.head))
  const buffer = Buffer.allocUnsafe(SLICE_BYTES)
  for (const [start, end] of clean.ranges) {
    for (let at = start; at < end;) {
      const length = Math.min(SLICE_BYTES, end - at)
      const { bytesRead } = await source.read(buffer, 0, length, at)
      if (bytesRead === 0) throw new Error('uploads: a photo ended early')
      await write(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
  }
  return {
    ...received,
    path,
    size,
    sha256: sha256.digest(),
    receivedSha256: received.sha256,
  }
}

/** Whether a file was stored before, by its bytes as they were received. */
export function isSameFile(
  stored: Pick<CleanedFile, 'sha256' | 'receivedSha256'>,
  file: CleanedFile,
): boolean {
  const received = file.receivedSha256 ?? file.sha256
  // A previous release may have replaced a cleaned file, and left the hash of the earlier one.
  if (stored.receivedSha256)
    return stored.receivedSha256.equals(received) && stored.sha256.equals(file.sha256)
  return stored.sha256.equals(received)
}
