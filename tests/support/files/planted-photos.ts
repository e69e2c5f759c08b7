import sharp from 'sharp'
import type { Make } from './good-files.ts'
import { photo } from './photo.ts'
import { exif, latin1, PLANTED, segment, xmp } from './planted-exif.ts'

const SEGMENT_MAX = 65_533

/** Puts segments where cameras write them: after the start of the picture. */
const withSegments = (picture: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([picture.subarray(0, 2), ...segments, picture.subarray(2)])
const small = () => photo(64, 48)
const jpeg = (options = {}) => small().jpeg(options).toBuffer()
const plain = async (...segments: Buffer[]) => withSegments(await jpeg(), ...segments)

/** Position of the first marker of this kind. */
const markerAt = (picture: Buffer, mark: number) => picture.indexOf(Buffer.from([0xff, mark]))

const planted = (extra = '') => `PLANTED-GPS 41.403389, 2.174028 ${extra}`

/** An appended video with its position, as in `©xyz` of MP4. */
const video = Buffer.concat([
  latin1('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom'),
  latin1(planted('\u00a9xyz+41.4034+002.1740/')),
  Buffer.alloc(100_000, 'mdat'),
])

/** Gray, 32 by 8 pixels, with a restart marker after each block: encoders at hand write none. */
function withRestarts(): Buffer {
  const oneCodeOfOneBit = [1, ...Array.from({ length: 15 }, () => 0)]
  const twoCodesOfTwoBits = [0, 2, ...oneCodeOfOneBit.slice(2)]
  const table = (id: number, lengths: number[], ...symbols: number[]) =>
    segment(0xc4, Buffer.from([id, ...lengths, ...symbols]))
  // Each block has a value of seven bits (`01`, then the bits) and ends (`0`), filled with ones.
  const block = (value: number) => Buffer.from([0x40 | (value >> 1), ((value & 1) << 7) | 0x3f])
  const restart = (at: number) => Buffer.from([0xff, 0xd0 + at])
  const values = [100, 90, 80, 70]
  const blocks = values.flatMap((value, at) =>
    at > 0 ? [restart(at - 1), block(value)] : [block(value)],
  )
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 4)])),
    segment(0xc0, Buffer.from([8, 0, 8, 0, 32, 1, 1, 0x11, 0])),
    table(0x00, twoCodesOfTwoBits, 0, 7),
    table(0x10, oneCodeOfOneBit, 0),
    segment(0xdd, Buffer.from([0, 1])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    ...blocks,
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Between the scans of a progressive picture, where decoders read further segments. */
async function betweenScans(...segments: Buffer[]): Promise<Buffer> {
  const picture = await jpeg({ progressive: true })
  const second = picture.indexOf(Buffer.from([0xff, 0xc4]), markerAt(picture, 0xda))
  return Buffer.concat([picture.subarray(0, second), ...segments, picture.subarray(second)])
}

/** Photos that say where or with what they were taken, each in another way. */
export const plantedPhotos: Record<string, Make> = {
  'EXIF, big-endian': () => plain(exif()),
  'EXIF, little-endian': () => plain(exif({ order: 'II' })),
  ...Object.fromEntries(
    [2, 4, 6].map((orientation) => [
      `EXIF with the orientation ${orientation}`,
      () => plain(exif({ orientation, order: orientation % 2 === 0 ? 'II' : 'MM' })),
    ]),
  ),
  'a maker note': () => plain(exif({ makerNote: latin1(planted('PLANTED-CAMERA')) })),
  'a thumbnail with its own EXIF': async () =>
    plain(exif({ orientation: 6, thumbnail: await plain(exif({ orientation: 3 })) })),
  XMP: () => plain(xmp()),
  'XMP in a hundred extended segments': () =>
    plain(
      xmp('xmpNote:HasExtendedXMP="1"'),
      ...Array.from({ length: 100 }, () =>
        segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', planted(), Buffer.alloc(9_000, 'x')),
      ),
    ),
  IPTC: () => plain(segment(0xed, 'Photoshop 3.0\x008BIM\u0004\u0004\0\0\0\0\0\u0040', planted())),
  'a comment': () => plain(segment(0xfe, planted())),
  'two EXIF segments': () => plain(exif({ orientation: 8 }), exif({ orientation: 8, order: 'II' })),
  'EXIF and XMP of the largest size': () =>
    plain(
      exif({ makerNote: Buffer.alloc(60_000, 'PLANTED-CAMERA') }),
      segment(0xe1, planted().padEnd(SEGMENT_MAX, '!')),
    ),
  'a second picture, as in MPF': async () =>
    Buffer.concat([
      await plain(exif(), segment(0xe2, 'MPF\0MM\0*', planted())),
      Buffer.alloc(64),
      await plain(exif(), xmp()),
    ]),
  'a gain map': async () =>
    Buffer.concat([
      await plain(xmp(), segment(0xe2, 'urn:iso:std:iso:ts:21496:-1\0', planted())),
      await plain(xmp()),
    ]),
  'an appended video': async () => Buffer.concat([await plain(exif(), xmp()), video]),
  'a trailer with the name of the camera': async () =>
    Buffer.concat([await plain(exif()), latin1('PLANTED-CAMERA SEFHk\0\0\0SEFT')]),
  'progressive coding': async () => withSegments(await jpeg({ progressive: true }), exif(), xmp()),
  'segments between the scans': () =>
    betweenScans(segment(0xfe, planted()), exif({ orientation: 6 }), xmp()),
  'CMYK with the marker of Adobe': async () =>
    withSegments(
      await small().toColourspace('cmyk').jpeg().toBuffer(),
      exif({ orientation: 5 }),
      xmp(),
    ),
  'restart markers': async () => withSegments(withRestarts(), exif({ orientation: 3 })),
  'a thumbnail in JFIF': async () => {
    const thumbnail = Buffer.concat([latin1('PLANTED-NOTE'), Buffer.alloc(36)])
    return plain(
      segment(0xe0, 'JFIF\0\u0001\u0002\u0001\0\u0048\0\u0048\u0004\u0004', thumbnail),
      segment(0xe0, 'JFXX\0\u0010', await plain(exif())),
    )
  },
  'a colour profile': async () =>
    withSegments(await small().withIccProfile('p3').jpeg().toBuffer(), exif({ orientation: 6 })),
  'fill bytes and padding between the segments': () =>
    plain(
      exif({ orientation: 7 }),
      Buffer.alloc(5, 0xff),
      segment(0xe3, planted()),
      Buffer.alloc(9),
    ),
  'segments of other cameras': () =>
    plain(
      segment(0xe1, 'FLIR\0', planted()),
      segment(0xe4, 'PLANTED-CAMERA'),
      segment(0xec, 'Ducky\0', planted()),
      segment(0xee, 'Adobe\0\u0064\0\0\0\0\u0001', planted()),
      segment(0xef, planted()),
    ),
}

/** The planted texts that are in these bytes, also in UTF-16. */
export const foundIn = (bytes: Buffer): string[] =>
  PLANTED.filter(
    (text) => bytes.includes(latin1(text)) || bytes.includes(Buffer.from(text, 'utf16le')),
  )

/** What a viewer shows: pixels as stored and turned upright, in sRGB. */
export async function shown(picture: Buffer) {
  const open = () => sharp(picture, { failOn: 'error' })
  const [stored, upright] = await Promise.all(
    [open(), open().autoOrient()].map((image) => image.raw().toBuffer({ resolveWithObject: true })),
  )
  const { exif: exifData, xmp: xmpData, iptc, orientation = 1 } = await open().metadata()
  return {
    pixels: stored!.data,
    upright: upright!.data,
    width: upright!.info.width,
    orientation,
    /** Bytes of metadata that a reader finds. */
    metadata: [exifData, xmpData, iptc].reduce((sum, data) => sum + (data?.length ?? 0), 0),
  }
}
