const MARKER = 0xff
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const RESTARTS = { first: 0xd0, last: 0xd8 }
const TEMPORARY = 0x01

/** Counts the scans of a picture and finds its end; decoders ignore what follows. */
export function readScans(
  bytes: Buffer,
  maxScans: number,
): { scans: number; end: number | undefined } {
  let scans = 0
  for (let at = nextMarker(bytes, 2); at !== -1; at = nextMarker(bytes, at)) {
    const mark = bytes[at]!
    if (mark === END_OF_IMAGE) return { scans, end: at + 1 }
    if (mark === START_OF_SCAN) scans += 1
    if (scans > maxScans) break
    at += isAlone(mark) ? 1 : 1 + lengthAt(bytes, at + 1)
  }
  return { scans, end: undefined }
}

const isAlone = (mark: number) =>
  mark === TEMPORARY || (mark >= RESTARTS.first && mark <= RESTARTS.last)

const lengthAt = (bytes: Buffer, at: number) =>
  at + 2 <= bytes.length ? Math.max(2, bytes.readUInt16BE(at)) : 2

/** Finds the next marker's second byte as decoders do: any number of 0xff, then not zero. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(MARKER, from); at !== -1; at = bytes.indexOf(MARKER, at)) {
    while (bytes[at] === MARKER) at += 1
    if (at >= bytes.length) return -1
    if (bytes[at] !== 0) return at
  }
  return -1
}
