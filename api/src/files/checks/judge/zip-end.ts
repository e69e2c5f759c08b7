const SIGNATURE = 'PK\u0005\u0006'
const RECORD = 22
const LONGEST_COMMENT = 0xffff

/**
 * Whether a program that unpacks archives would take this file for one: they look for the table of
 * contents from the end, whatever the file begins with. An archive that merely lies inside, as an
 * attachment does, has its table where no end fits to it.
 */
export function endsAsZip(bytes: Buffer): boolean {
  const end = bytes.subarray(-(RECORD + LONGEST_COMMENT)).toString('latin1')
  for (let at = end.indexOf(SIGNATURE); at !== -1; at = end.indexOf(SIGNATURE, at + 1)) {
    const comment = end.charCodeAt(at + 20) + end.charCodeAt(at + 21) * 256
    // Unpackers forgive a few bytes too many, as an upload form may leave them.
    if (Math.abs(at + RECORD + comment - end.length) <= 16) return true
  }
  return false
}
