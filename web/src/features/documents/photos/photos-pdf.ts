import type { JpegInfo } from './jpeg-info.ts'

export type Turn = 0 | 90 | 180 | 270

interface PhotoPage {
  photo: Blob
  info: JpegInfo
  /** Clockwise, set by the user in addition to the orientation. */
  turn: Turn
}

/** US letter, in points. */
const LETTER = { short: 612, long: 792 }

/** For each Exif orientation: the clockwise turn that makes it upright, after mirroring. */
const UPRIGHT_TURNS: readonly { turn: Turn; mirrored: boolean }[] = [
  { turn: 0, mirrored: false },
  { turn: 0, mirrored: true },
  { turn: 180, mirrored: false },
  { turn: 180, mirrored: true },
  { turn: 270, mirrored: true },
  { turn: 90, mirrored: false },
  { turn: 90, mirrored: true },
  { turn: 270, mirrored: false },
]

const COLORS = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }

/**
 * One PDF with a page for each photo. The photos are embedded unchanged: nothing is decoded or loses
 * quality, and the browser refers to the files on disk instead of holding them in memory.
 */
export function photosPdf(pages: readonly PhotoPage[]): Blob {
  const kids = pages.map((_, index) => `${pageObjectNumber(index)} 0 R`).join(' ')
  const objects: Parts[] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    [`<< /Type /Pages /Count ${pages.length} /Kids [ ${kids} ] >>`],
    ...pages.flatMap(pageObjects),
  ]
  return pdfOf(objects)
}

type Parts = (string | Blob)[]

const OBJECTS_PER_PAGE = 3
const pageObjectNumber = (index: number): number => 3 + index * OBJECTS_PER_PAGE

function pageObjects({ photo, info, turn }: PhotoPage, index: number): Parts[] {
  const objectNumber = pageObjectNumber(index)
  const { width, height } = pageSize(info)
  const upright = UPRIGHT_TURNS[info.orientation - 1] ?? UPRIGHT_TURNS[0]!
  const drawing = upright.mirrored
    ? `q -${width} 0 0 ${height} ${width} 0 cm /Photo Do Q`
    : `q ${width} 0 0 ${height} 0 0 cm /Photo Do Q`
  return [
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ` +
        `/Rotate ${(upright.turn + turn) % 360} /Contents ${objectNumber + 1} 0 R ` +
        `/Resources << /XObject << /Photo ${objectNumber + 2} 0 R >> >> >>`,
    ],
    stream(`<< /Length ${drawing.length} >>`, drawing),
    stream(
      `<< /Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} ` +
        `/ColorSpace ${COLORS[info.components]} /BitsPerComponent 8 /Filter /DCTDecode ` +
        (info.components === 4 && info.inverted ? '/Decode [1 0 1 0 1 0 1 0] ' : '') +
        `/Length ${photo.size} >>`,
      photo,
    ),
  ]
}

const stream = (dictionary: string, content: string | Blob): Parts => [
  `${dictionary}\nstream\n`,
  content,
  '\nendstream',
]

/** The proportions of the photo, as large as fits on a sheet. */
export function pageSize({ width, height }: Pick<JpegInfo, 'width' | 'height'>) {
  const scale = Math.min(
    LETTER.long / Math.max(width, height),
    LETTER.short / Math.min(width, height),
  )
  // PDF allows no side below 3 points.
  const points = (length: number) => Math.max(3, Math.round(length * scale * 100) / 100)
  return { width: points(width), height: points(height) }
}

/** The objects in sequence, and at the end the table of their offsets. */
function pdfOf(objects: readonly Parts[]): Blob {
  const parts: Parts = []
  let length = 0
  const add = (part: string | Blob) => {
    parts.push(part)
    length += typeof part === 'string' ? part.length : part.size
  }
  add('%PDF-1.4\n')
  const offsets = objects.map((object, index) => {
    const offset = length
    add(`${index + 1} 0 obj\n`)
    object.forEach(add)
    add('\nendobj\n')
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const tableOffset = length
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`)
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableOffset}\n%%EOF\n`)
  return new Blob(parts, { type: 'application/pdf' })
}
