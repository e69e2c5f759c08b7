import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Accepted } from '../../../files/checks/check-file.ts'
import type { Received } from './receive.ts'

const SLICE_BYTES = 1024 * 1024

export interface CleanedFile extends Received {
  /** The parts of a photo that are kept; undefined if it is stored as it was received. */
  clean: Accepted['clean']
  /** Of the file as it was received; null if nothing was removed from it. */
  receivedSha256: Buffer | null
}

/** The size and the hash of what is stored of a file. */
export async function cleanedFile(
  received: Received,
  clean: Accepted['clean'],
): Promise<CleanedFile> {
  if (!clean) return { ...received, clean, receivedSha256: null }
  const sha256 = createHash('sha256')
  let size = 0
  for await (const bytes of keptBytes(received.path, clean)) {
    sha256.update(bytes)
    size += bytes.length
  }
  return { ...received, size, sha256: sha256.digest(), clean, receivedSha256: received.sha256 }
}

/** Reads what is stored of a file, without a copy of it. Yields the same buffer each time. */
export async function* keptBytes(path: string, clean: Accepted['clean']): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(SLICE_BYTES)
  await using file = await open(path)
  if (clean) yield Buffer.from(clean.head)
  const ranges = clean ? clean.ranges : [[0, (await file.stat()).size] as const]
  for (const [start, end] of ranges) {
    for (let at = start; at < end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(SLICE_BYTES, end - at), at)
      if (bytesRead === 0) throw new Error('uploads: a file ended early')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }
}

/** Whether a file was stored before, by its bytes as they were received. */
export function isSameFile(
  stored: Pick<CleanedFile, 'sha256' | 'receivedSha256'>,
  file: CleanedFile,
): boolean {
  const received = file.receivedSha256 ?? file.sha256
  return (stored.receivedSha256 ?? stored.sha256).equals(received)
}
