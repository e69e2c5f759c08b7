/**
 * Which bytes of a JPEG a viewer needs. Everything else is left out, because it may say where and with what a photo was
 * taken: EXIF, XMP, IPTC, comments, thumbnails, and the pictures and videos that phones append. Browser and server
 * follow these rules.
 */
export interface CleanJpeg {
  /** The first bytes of the clean picture, which take the place of segments that are shortened. */
  head: Uint8Array<ArrayBuffer>
  /** The parts of the original that follow: start and end of each, in ascending order. */
  ranges: [start: number, end: number][]
  /** Whether the clean picture differs from the original. */
  changed: boolean
}

/** Bytes of the original that the parser needs next. */
interface Wanted {
  start: number
  end: number
}

type Parser<Result> = Generator<Wanted, Result, Uint8Array>

const WINDOW_BYTES = 256 * 1024
/** Cameras write about twenty; extended XMP of 100 MB has 1,600. */
const MAX_SEGMENTS = 20_000
const MAX_RANGES = 1_000

const MARK = 0xff
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
/** Frames, and tables for quantisation, Huffman and arithmetic coding and restart intervals. */
const isNeeded = (mark: number) =>
  (mark >= 0xc0 && mark <= 0xcf && mark !== 0xc8) || mark === 0xdb || mark === 0xdd
const isRestart = (mark: number) => mark >= 0xd0 && mark <= 0xd7
const hasNoLength = (mark: number) => mark === 0x01 || isRestart(mark)

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const JFIF = latin1('JFIF\0')
const EXIF = latin1('Exif\0')
const PROFILE = latin1('ICC_PROFILE\0')
const ADOBE = latin1('Adobe')

/**
 * Parses a JPEG as decoders do, and asks for the bytes that it needs, so that nobody has to hold all of them. Returns
 * undefined if no decoder can read the file, or if its end is missing.
 */
export function* cleanJpeg(size: number): Parser<CleanJpeg | undefined> {
  let offset = 0
  let bytes: Uint8Array = new Uint8Array()

  /** Makes these bytes available, as far as the file has them, and returns them. */
  function* load(from: number, length: number): Parser<Uint8Array> {
    const isLoaded = from >= offset && from + length <= offset + bytes.length
    if (!isLoaded && from < size) {
      bytes = yield { start: from, end: Math.min(size, from + Math.max(length, WINDOW_BYTES)) }
      offset = from
    }
    return bytes.subarray(Math.max(0, from - offset), Math.max(0, from - offset + length))
  }

  /** The next marker: any number of 0xff, then a byte that is not zero. The data of a scan contains restart markers. */
  function* nextMarker(from: number, inScan: boolean) {
    let fillStart = -1
    for (let at = from; at < size; at = offset + bytes.length) {
      if ((yield* load(at, 1)).length === 0) return undefined
      for (let index = at - offset; index < bytes.length; index += 1) {
        const byte = bytes[index]!
        if (byte === MARK) {
          if (fillStart === -1) fillStart = offset + index
        } else if (fillStart !== -1) {
          const isData = byte === 0 || (inScan && isRestart(byte))
          if (!isData) return { fillStart, at: offset + index, mark: byte }
          fillStart = -1
        }
      }
    }
    return undefined
  }

  const [first, second] = yield* load(0, 2)
  if (first !== MARK || second !== START_OF_IMAGE) return undefined
  const rewritten = rewrittenSegments()
  const ranges: CleanJpeg['ranges'] = []
  const keep = (start: number, end: number) => {
    const last = ranges.at(-1)
    if (last?.[1] === start) last[1] = end
    else if (end > start) ranges.push([start, end])
  }
  function* result(): Parser<CleanJpeg | undefined> {
    if (ranges.length > MAX_RANGES) return undefined
    const head = rewritten.head()
    const isSame =
      ranges.length === 1 &&
      ranges[0]![0] === head.length &&
      ranges[0]![1] === size &&
      startsWith(yield* load(0, head.length), head)
    return { head, ranges, changed: !isSame }
  }

  let hasScan = false
  let at = 2
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    const found = yield* nextMarker(at, false)
    if (!found) return undefined
    const { mark } = found
    // Decoders refuse a second start.
    if (mark === START_OF_IMAGE) return undefined
    const start = found.at - 1
    if (mark === END_OF_IMAGE) {
      keep(start, start + 2)
      return hasScan ? yield* result() : undefined
    }
    at = start + 2
    if (hasNoLength(mark)) continue
    const [high, low] = yield* load(at, 2)
    if (low === undefined) return undefined
    const end = at + Math.max(2, high! * 256 + low)
    if (end > size) return undefined
    if (mark === START_OF_SCAN) {
      hasScan = true
      const next = yield* nextMarker(end, true)
      // Decoders notice a missing end only sometimes, depending on the last bytes of the picture.
      if (!next) return undefined
      keep(start, next.fillStart)
      at = next.fillStart
      continue
    }
    if (isNeeded(mark)) keep(start, end)
    // After the first scan, decoders no longer use the other segments.
    else if (!hasScan && rewritten.wants(mark)) {
      const body = yield* load(at + 2, end - at - 2)
      if (mark === APP2 && startsWith(body, PROFILE)) keep(start, end)
      else rewritten.add(mark, body)
    }
    at = end
  }
  return undefined
}

/** Segments that are written anew, with only what a viewer needs of them. */
function rewrittenSegments() {
  let jfif: Uint8Array | undefined
  let adobe: Uint8Array | undefined
  let orientation: number | undefined
  return {
    wants: (mark: number) => mark === APP0 || mark === APP1 || mark === APP2 || mark === APP14,
    add(mark: number, body: Uint8Array): void {
      // The lengths that decoders require. What follows, such as a thumbnail, is left out.
      if (mark === APP0 && body.length >= 14 && startsWith(body, JFIF)) jfif = body.slice(0, 12)
      if (mark === APP14 && body.length >= 12 && startsWith(body, ADOBE)) adobe = body.slice(0, 12)
      if (mark === APP1 && startsWith(body, EXIF)) orientation ??= orientationOf(body.subarray(6))
    },
    head: (): Uint8Array<ArrayBuffer> =>
      new Uint8Array([
        MARK,
        START_OF_IMAGE,
        ...(jfif ? segment(APP0, [...jfif, 0, 0]) : []),
        ...(orientation && orientation > 1 ? segment(APP1, exifOf(orientation)) : []),
        ...(adobe ? segment(APP14, [...adobe]) : []),
      ]),
  }
}

const segment = (mark: number, body: readonly number[]) => [MARK, mark, 0, body.length + 2, ...body]

const ORIENTATION = 0x0112
const SHORT = 3

/** EXIF data with one directory of one entry: the orientation, a number of two bytes. */
const exifOf = (orientation: number) => [
  ...latin1('Exif\0\0MM\0*\0\0\0\u0008\0\u0001\u0001\u0012\0\u0003\0\0\0\u0001\0'),
  orientation,
  ...new Uint8Array(6),
]

/** The orientation of EXIF data, 1 to 8; undefined if it has none. */
export function orientationOf(tiff: Uint8Array): number | undefined {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const order = String.fromCharCode(...tiff.subarray(0, 2))
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const little = order === 'II'
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return undefined
  const entries = view.getUint16(directory, little)
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return undefined
    if (view.getUint16(at, little) !== ORIENTATION) continue
    if (view.getUint16(at + 2, little) !== SHORT) return undefined
    const value = view.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

const startsWith = (bytes: Uint8Array, start: Uint8Array) =>
  start.every((byte, at) => bytes[at] === byte)
