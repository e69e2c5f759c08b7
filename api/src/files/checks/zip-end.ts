import type { FileHandle } from 'node:fs/promises'
import { readAt } from './read-at.ts'

const SIGNATURE = 'PK\u0005\u0006'
const RECORD = 22
const LONGEST_COMMENT = 0xffff

/**
 * Whether a program that unpacks archives would take this file for one: they look for the table of
 * contents from the end, whatever the file begins with. An archive that merely lies inside, as an
 * attachment does, has its table where no end fits to it.
 */
export async function endsAsZip(file: FileHandle, size: number): Promise<boolean> {
  const window = Math.min(size, RECORD + LONGEST_COMMENT)
  const end = await readAt(file, size - window, window)
  for (let at = end.indexOf(SIGNATURE); at !== -1; at = end.indexOf(SIGNATURE, at + 1)) {
    const comment = end.charCodeAt(at + 20) + end.charCodeAt(at + 21) * 256
    // Unpackers forgive a few bytes too many, as an upload form may leave them.
    if (Math.abs(at + RECORD + comment - end.length) <= 16) return true
  }
  return false
}
