import { orientationOf } from '@guidon/contract/clean-jpeg'

/** What a PDF must declare about an embedded JPEG. */
export interface JpegInfo {
  width: number
  height: number
  components: 1 | 3 | 4
  /** CMYK with an Adobe marker stores inverted values. */
  inverted: boolean
  /** Exif orientation, 1 to 8. */
  orientation: number
}

export class UnusablePhoto extends Error {
  constructor() {
    super('This photo cannot become a page. Please take it again, or upload it by itself.')
    this.name = 'UnusablePhoto'
  }
}

/** More than any camera writes before the image data. */
const HEAD_BYTES = 1024 * 1024

const START = 0xd8
const SCAN = 0xda
const END = 0xd9
const EXIF = 0xe1
const ADOBE = 0xee
/** Baseline, extended and progressive frames, which PDF readers decode. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

/** Reads only the head of a JPEG; the image is not decoded. */
export async function readJpegInfo(photo: Blob): Promise<JpegInfo> {
  const head = new DataView(await photo.slice(0, HEAD_BYTES).arrayBuffer())
  try {
    return factsOf(head)
  } catch (error) {
    if (error instanceof RangeError) throw new UnusablePhoto()
    throw error
  }
}

function factsOf(head: DataView): JpegInfo {
  if (head.getUint16(0) !== 0xff00 + START) throw new UnusablePhoto()
  let orientation: number | undefined
  let inverted = false
  let at = 2
  for (;;) {
    if (head.getUint8(at) !== 0xff) throw new UnusablePhoto()
    const marker = head.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === SCAN || marker === END || OTHER_FRAMES.has(marker)) throw new UnusablePhoto()
    const body = at + 4
    const end = at + 2 + head.getUint16(at + 2)
    if (FRAMES.has(marker))
      return { ...frameAt(head, body), orientation: orientation ?? 1, inverted }
    if (marker === EXIF && textAt(head, body, 4) === 'Exif')
      orientation ??= orientationOf(new Uint8Array(head.buffer).subarray(body + 6, end))
    if (marker === ADOBE && textAt(head, body, 5) === 'Adobe') inverted = true
    at = end
  }
}

function frameAt(head: DataView, at: number) {
  const [height, width] = [head.getUint16(at + 1), head.getUint16(at + 3)]
  const components = head.getUint8(at + 5)
  const usable = components === 1 || components === 3 || components === 4
  if (head.getUint8(at) !== 8 || !usable || width === 0 || height === 0) throw new UnusablePhoto()
  return { width, height, components } as const
}

function textAt(head: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => head.getUint8(at + index)))
}
