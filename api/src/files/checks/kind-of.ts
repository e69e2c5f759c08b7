import type { FileKind } from '../../checker/protocol.ts'

/** How many first bytes tell the kind of a file. */
export const KIND_BYTES = 5

const PDF_START = Buffer.from('%PDF-')
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff])

/** Undefined for a file that is not accepted. */
export function kindOf(start: Buffer): FileKind | undefined {
  const startsWith = (bytes: Buffer) => start.subarray(0, bytes.length).equals(bytes)
  if (startsWith(PDF_START)) return 'pdf'
  return startsWith(JPEG_START) ? 'jpeg' : undefined
}
