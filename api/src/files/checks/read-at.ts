import type { FileHandle } from 'node:fs/promises'

/** Bytes as characters of the same number, for patterns. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.toString('latin1', 0, filled)
}
