/** Texts that must not be found in a stored photo. */
export const PLANTED = ['PLANTED-GPS', 'PLANTED-CAMERA', 'PLANTED-NOTE'] as const

type Order = 'II' | 'MM'
type Entry = [tag: number, type: number, count: number, value: number | Buffer]

const [ASCII, SHORT, LONG, RATIONAL, UNDEFINED] = [2, 3, 4, 5, 7]

export const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** One segment of a JPEG. */
export function segment(mark: number, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin1(part) : part)))
  const head = Buffer.from([0xff, mark, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

interface Exif {
  order?: Order
  orientation?: number
  makerNote?: Buffer
  thumbnail?: Buffer
}

/** An EXIF segment as phones write it: camera, orientation, maker note, position and thumbnail. */
export function exif({ order = 'MM', orientation = 1, makerNote, thumbnail }: Exif = {}): Buffer {
  const little = order === 'II'
  const short = (value: number) => {
    const bytes = Buffer.alloc(2)
    if (little) bytes.writeUInt16LE(value)
    else bytes.writeUInt16BE(value)
    return bytes
  }
  const long = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (little) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  /** A directory at this offset, followed by the values that do not fit into its entries. */
  const directory = (offset: number, entries: Entry[], next = 0) => {
    const values: Buffer[] = []
    let at = offset + 2 + entries.length * 12 + 4
    const lines = entries.map(([tag, type, count, value]) => {
      const head = Buffer.concat([short(tag), short(type), long(count)])
      if (typeof value === 'number') {
        return Buffer.concat([
          head,
          type === SHORT ? short(value) : long(value),
          Buffer.alloc(2),
        ]).subarray(0, 12)
      }
      values.push(value)
      at += value.length
      return Buffer.concat([head, long(at - value.length)])
    })
    return Buffer.concat([short(entries.length), ...lines, long(next), ...values])
  }
  const text = (tag: number, value: string): Entry => [tag, ASCII, value.length, latin1(value)]
  const degrees = Buffer.concat([41, 1, 24, 1, 1220, 100].map(long))
  const position = (offset: number) =>
    directory(offset, [
      [0x0001, ASCII, 2, little ? 0x4e : 0x4e000000],
      [0x0002, RATIONAL, 3, degrees],
      text(0x0012, 'PLANTED-GPS datum'),
    ])
  const camera = (offset: number) =>
    directory(offset, [
      text(0x9003, '2026:11:16 07:30:00'),
      ...(makerNote ? [[0x927c, UNDEFINED, makerNote.length, makerNote] satisfies Entry] : []),
    ])
  const first = (cameraAt: number, positionAt: number, next: number) =>
    directory(
      8,
      [
        text(0x010f, 'PLANTED-CAMERA maker'),
        [0x0112, SHORT, 1, orientation],
        [0x8769, LONG, 1, cameraAt],
        [0x8825, LONG, 1, positionAt],
      ],
      next,
    )
  const cameraAt = 8 + first(0, 0, 0).length
  const positionAt = cameraAt + camera(cameraAt).length
  const thumbnailAt = positionAt + position(positionAt).length
  const second = (pictureAt: number) =>
    directory(thumbnailAt, [
      [0x0201, LONG, 1, pictureAt],
      [0x0202, LONG, 1, thumbnail!.length],
    ])
  return segment(
    0xe1,
    'Exif\0\0',
    order,
    short(42),
    long(8),
    first(cameraAt, positionAt, thumbnail ? thumbnailAt : 0),
    camera(cameraAt),
    position(positionAt),
    ...(thumbnail ? [second(thumbnailAt + second(0).length), thumbnail] : []),
  )
}

/** An XMP segment with a position in `exif:GPSLatitude`. */
export const xmp = (packet = '') =>
  segment(
    0xe1,
    'http://ns.adobe.com/xap/1.0/\0',
    `<x:xmpmeta><rdf:Description exif:GPSLatitude="PLANTED-GPS 41,24.2N" ${packet}/></x:xmpmeta>`,
  )
