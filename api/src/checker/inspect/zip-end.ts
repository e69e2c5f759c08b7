const SIGNATURE = 'PK\u0005\u0006'
const RECORD_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff

/**
 * Whether unpackers would open this file as a ZIP archive: they search the table of contents from the end.
 * An archive inside the file, such as an attachment, does not match.
 */
export function endsAsZip(bytes: Buffer): boolean {
  const end = bytes.subarray(-(RECORD_BYTES + MAX_COMMENT_BYTES)).toString('latin1')
  for (let at = end.indexOf(SIGNATURE); at !== -1; at = end.indexOf(SIGNATURE, at + 1)) {
    const comment = end.charCodeAt(at + 20) + end.charCodeAt(at + 21) * 256
    // Unpackers accept a few extra bytes at the end.
    if (Math.abs(at + RECORD_BYTES + comment - end.length) <= 16) return true
  }
  return false
}
