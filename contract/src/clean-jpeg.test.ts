import { describe, expect, it } from 'vitest'
import { cleanJpeg, orientationOf } from './clean-jpeg.ts'

const MB = 1024 * 1024
const bytesOf = (...parts: (readonly number[] | Uint8Array | string)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (char) => char.charCodeAt(0)) : Array.from(part),
    ),
  )
const segment = (mark: number, ...parts: (readonly number[] | string)[]) => {
  const body = bytesOf(...parts)
  const length = body.length + 2
  return bytesOf([0xff, mark, length >> 8, length & 0xff], body)
}

const START = [0xff, 0xd8]
const END = [0xff, 0xd9]
const TABLE = segment(0xdb, [0, 1, 2, 3])
const FRAME = segment(0xc0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0])
const SCAN = bytesOf(segment(0xda, [1, 1, 0, 0, 63, 0]), [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56])
const PICTURE = bytesOf(TABLE, FRAME, SCAN, END)
const JFIF = segment(0xe0, 'JFIF\0', [1, 2, 1, 0, 72, 0, 72, 0, 0])
const ADOBE = segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, 1])
const PROFILE = segment(0xe2, 'ICC_PROFILE\0', [1, 1, 9, 9, 9])
const COMMENT = segment(0xfe, 'hidden')
const MINIMAL_EXIF = segment(
  0xe1,
  'Exif\0\0MM\0*',
  [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0],
)

/** Runs the parser, and counts the bytes that it reads. */
function parse(original: Uint8Array, size = original.length) {
  const parser = cleanJpeg(size)
  let read = 0
  let step = parser.next()
  while (!step.done) {
    const { start, end } = step.value
    read += end - start
    step = parser.next(original.subarray(start, end))
  }
  return { clean: step.value, read }
}

function cleaned(original: Uint8Array): Uint8Array | undefined {
  const { clean } = parse(original)
  return clean && bytesOf(clean.head, ...clean.ranges.map((range) => original.subarray(...range)))
}

const exif = (...tiff: (readonly number[] | string)[]) => segment(0xe1, 'Exif\0\0', ...tiff)
const oriented = (orientation: number) =>
  exif('II*\0', [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0])

describe('of a JPEG', () => {
  it('only what a viewer needs is kept', () => {
    const given = bytesOf(START, JFIF, COMMENT, ADOBE, PROFILE, COMMENT, PICTURE, COMMENT, START)
    expect(cleaned(given)).toEqual(bytesOf(START, JFIF, ADOBE, PROFILE, PICTURE))
  })

  it('a clean one is unchanged', () => {
    const clean = bytesOf(START, JFIF, MINIMAL_EXIF, ADOBE, PROFILE, PICTURE)
    expect(parse(clean).clean?.changed).toBe(false)
    expect(cleaned(clean)).toEqual(clean)
  })

  it.each([2, 3, 4, 5, 6, 7, 8])(
    'the orientation %i is kept, and nothing else of EXIF',
    (value) => {
      const found = cleaned(bytesOf(START, oriented(value), PICTURE))!
      expect(found).toEqual(bytesOf(START, MINIMAL_EXIF.with(29, value), PICTURE))
    },
  )

  it.each([
    ['upright', oriented(1)],
    ['unknown', oriented(9)],
    [
      'not a number of two bytes',
      exif('MM\0*', [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 4, 0, 0, 0, 1, 0, 6]),
    ],
    ['outside of the segment', exif('MM\0*', [0xff, 0xff, 0xff, 0xff])],
    ['in a directory that is cut off', exif('MM\0*', [0, 0, 0, 8, 0xff, 0xff, 1, 0x12, 0, 3])],
    ['in an unknown byte order', exif('XX\0*', [0, 0, 0, 8])],
    ['missing', exif('')],
  ])('an orientation that is %s is left out', (_, given) => {
    expect(cleaned(bytesOf(START, given, PICTURE))).toEqual(bytesOf(START, PICTURE))
  })

  it('the first readable orientation counts, and none after the first scan', () => {
    const clean = cleaned(bytesOf(START, oriented(9), oriented(6), oriented(3), PICTURE))!
    expect(clean).toEqual(bytesOf(START, MINIMAL_EXIF, PICTURE))
    const late = bytesOf(START, TABLE, FRAME, SCAN, oriented(6), SCAN, END)
    expect(cleaned(late)).toEqual(bytesOf(START, TABLE, FRAME, SCAN, SCAN, END))
  })

  it('a thumbnail in the segment of JFIF, and bytes after that of Adobe, are left out', () => {
    const thumbnail = segment(0xe0, 'JFIF\0', [1, 2, 1, 0, 72, 0, 72, 1, 1, 50, 60, 70])
    const long = segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, 1], 'hidden')
    const given = bytesOf(START, thumbnail, long, PICTURE)
    expect(cleaned(given)).toEqual(bytesOf(START, JFIF, ADOBE, PICTURE))
  })

  it('fill bytes, padding and markers without a length are left out between segments', () => {
    const gaps = [0, 7, 0xff, 0xff, 0xff]
    const given = bytesOf(
      START,
      gaps,
      JFIF,
      [0xff, 0x01],
      gaps,
      TABLE,
      gaps,
      FRAME,
      SCAN,
      [0xff],
      END,
    )
    expect(cleaned(given)).toEqual(bytesOf(START, JFIF, TABLE, FRAME, SCAN, END))
  })

  it.each([
    ['another file', bytesOf('%PDF-1.7')],
    ['nothing', bytesOf()],
    ['no scan', bytesOf(START, TABLE, FRAME, END)],
    ['no end marker', bytesOf(START, TABLE, FRAME, SCAN)],
    ['two starts', bytesOf(START, START, PICTURE)],
    ['a segment that is longer than the file', bytesOf(START, TABLE, [0xff, 0xfe, 0xff, 0xff, 1])],
    ['half a length', bytesOf(START, TABLE, [0xff, 0xfe, 0xff])],
    ['only markers', new Uint8Array(1_000).fill(0xff).with(1, 0xd8)],
  ])('%s is not cleaned', (_, given) => {
    expect(cleaned(given)).toBeUndefined()
  })
})

describe('a hostile JPEG', () => {
  const repeated = (part: Uint8Array, size: number) => {
    const all = new Uint8Array(Math.floor(size / part.length) * part.length)
    for (let at = 0; at < all.length; at += part.length) all.set(part, at)
    return all
  }
  const concat = (...parts: Uint8Array[]) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }
  const big = 10 * MB
  const head = bytesOf(START, TABLE, FRAME)

  it.each([
    ['of empty comments', concat(head, repeated(segment(0xfe), big), PICTURE)],
    ['of restart markers', concat(head, repeated(bytesOf([0xff, 0xd3]), big), PICTURE)],
    ['of fill bytes', concat(head, new Uint8Array(big).fill(0xff), PICTURE)],
    ['of zeros', concat(head, new Uint8Array(big), PICTURE)],
    [
      'of a scan of escaped bytes',
      concat(head, SCAN, repeated(bytesOf([0xff, 0]), big), bytesOf(END)),
    ],
    [
      'of alternating tables and comments',
      concat(head, repeated(concat(TABLE, COMMENT), big), PICTURE),
    ],
    [
      'of large segments',
      concat(head, repeated(concat(segment(0xe1), new Uint8Array(65_000)), big), PICTURE),
    ],
    ['of an endless profile', concat(head, repeated(concat(PROFILE, COMMENT), big), PICTURE)],
  ])('%s is read once, in little time, and has few parts', (_, given) => {
    const started = process.cpuUsage()
    const { clean, read } = parse(given)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
    expect(read).toBeLessThanOrEqual(given.length + MB)
    expect(clean?.ranges.length ?? 0).toBeLessThanOrEqual(1_000)
  })

  it('is never read beyond its end, and what is kept is in order, wherever it is cut or changed', () => {
    const whole = bytesOf(START, JFIF, oriented(6), ADOBE, PROFILE, COMMENT, PICTURE, COMMENT)
    const isInOrder = (ranges: [number, number][], size: number) =>
      ranges.every(
        ([start, end], at) => start < end && end <= size && start >= (ranges[at - 1]?.[1] ?? 0),
      )
    for (let at = 0; at < whole.length; at += 1) {
      for (const given of [
        whole.subarray(0, at),
        ...[0, 1, 0xd9, 0xda, 0xe1, 0xff].map((byte) => whole.with(at, byte)),
      ]) {
        const { clean } = parse(given)
        if (!clean) continue
        expect(isInOrder(clean.ranges, given.length)).toBe(true)
        const once = cleaned(given)!
        // Cleaning is idempotent.
        expect(cleaned(once)).toEqual(once)
      }
    }
  })

  it('that is shorter than its stated size is cleaned if it has a whole picture, and not if it has none', () => {
    const whole = bytesOf(START, TABLE, FRAME, SCAN, END)
    expect(parse(whole, whole.length + MB).clean?.ranges ?? []).toHaveLength(1)
    expect(parse(bytesOf(START), 100).clean).toBeUndefined()
  })
})

it('an orientation is only searched in the given bytes', () => {
  expect(
    orientationOf(bytesOf('MM\0*', [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0])),
  ).toBe(6)
  expect(orientationOf(bytesOf())).toBeUndefined()
})
