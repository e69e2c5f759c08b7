const MARK = 0xff
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const RESTARTS = { first: 0xd0, last: 0xd8 }
const TEMPORARY = 0x01

/** How many scans the picture has, and where it ends: what follows is not decoded. */
export function scansOf(bytes: Buffer, most: number): { scans: number; end: number | undefined } {
  let scans = 0
  for (let at = nextMark(bytes, 2); at !== -1; at = nextMark(bytes, at)) {
    const mark = bytes[at]!
    if (mark === END_OF_IMAGE) return { scans, end: at + 1 }
    if (mark === START_OF_SCAN) scans += 1
    if (scans > most) break
    at += isAlone(mark) ? 1 : 1 + lengthAt(bytes, at + 1)
  }
  return { scans, end: undefined }
}

const isAlone = (mark: number) =>
  mark === TEMPORARY || (mark >= RESTARTS.first && mark <= RESTARTS.last)

const lengthAt = (bytes: Buffer, at: number) =>
  at + 2 <= bytes.length ? Math.max(2, bytes.readUInt16BE(at)) : 2

/** The place of the next mark's second byte, as decoders find it: any number of 0xff, and no zero behind. */
function nextMark(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARK, from); at !== -1; at = bytes.indexOf(MARK, at)) {
    while (bytes[at] === MARK) at += 1
    if (at >= bytes.length) return -1
    if (bytes[at] !== 0) return at
  }
  return -1
}
