import { deflateSync } from 'node:zlib'
import type { Make } from './good-files.ts'
import { samplePdf, pdfOf, streamOf } from './made-pdf.ts'

const MB = 1024 * 1024

/** Small files that take a lot of time or memory to read. */
export const bombs: Record<string, Make> = {
  'a JPEG of 2,000 scans': () => largeProgressiveJpeg(7_070, 7_070, 2_000),
  'a JPEG of 101 scans': () => largeProgressiveJpeg(7_070, 7_070, 101),
  'a PDF of 350,000 streams in one': () => samplePdf(1, streamOf(nestedStreams(10 * MB))),
  'a PDF whose cross-reference table decompresses to 200 MB': () => tableBomb(200),
  'a PDF of 20 MB of nested objects without a cross-reference table': () =>
    objectsWithoutTable(20 * MB),
}

const uint16 = (number: number) => [number >> 8, number & 0xff]
const segment = (mark: number, ...body: number[]) =>
  Buffer.from([0xff, mark, ...uint16(body.length + 2), ...body])
/** A Huffman table: the number of codes of each length. */
const codes = (...lengths: number[]) => [...lengths, ...Array<number>(16 - lengths.length).fill(0)]
const blocksOf = (width: number, height: number) => Math.ceil(width / 8) * Math.ceil(height / 8)

function grayJpeg(frame: number, width: number, height: number, rest: Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(frame, 8, ...uint16(height), ...uint16(width), 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...codes(1), 0x00),
    ...rest,
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A gray JPEG without details, made without an encoder: two bits for each block. */
export function largeJpeg(width: number, height: number): Buffer {
  return grayJpeg(0xc0, width, height, [
    segment(0xc4, 0x10, ...codes(1), 0x00),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(Math.ceil(blocksOf(width, height) / 4)),
  ])
}

/** A gray progressive JPEG; every scan covers the whole picture. */
export function largeProgressiveJpeg(width: number, height: number, scans: number): Buffer {
  const blocks = blocksOf(width, height)
  const scan = (coefficient: number, data: Buffer) =>
    Buffer.concat([segment(0xda, 1, 1, 0, coefficient, coefficient, 0), data])
  const oneBitEach = Buffer.alloc(Math.ceil(blocks / 8))
  const ac = scanData(blocks)
  return grayJpeg(0xc2, width, height, [
    segment(0xc4, 0x10, ...codes(1, 1), 0xe0, 0x00),
    scan(0, oneBitEach),
    ...Array.from({ length: scans - 1 }, (_, index) => scan(1 + (index % 63), ac)),
  ])
}

/** Runs of empty blocks: a zero bit, then the length of the run minus 16,384 in fourteen bits. */
function scanData(blocks: number): Buffer {
  let bits = ''
  let left = blocks
  for (; left >= 16_384; left -= Math.min(left, 32_767)) {
    bits += `0${(Math.min(left, 32_767) - 16_384).toString(2).padStart(14, '0')}`
  }
  bits += '10'.repeat(left)
  const bytes = bits.match(/.{1,8}/g)!.map((byte) => parseInt(byte.padEnd(8, '1'), 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}

/** Repeated keywords and codes that make a naive parser backtrack. */
function nestedStreams(size: number): Buffer {
  const unit = `obj${`streamendstream${'#41'.repeat(5)}`.repeat(65)}`
  return Buffer.alloc(size, unit)
}

/** The cross-reference table itself is compressed. */
function tableBomb(megabytes: number): Buffer {
  const plain = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ]).toString('latin1')
  const start = plain.lastIndexOf('xref\n0 ')
  const entries = [...plain.slice(start).matchAll(/^(\d{10}) \d{5} n/gm)].map(([, at]) =>
    Number(at),
  )
  const table = Buffer.alloc(Math.floor((megabytes * MB) / 6) * 6)
  for (const [index, at] of [...entries, start].entries()) {
    table.writeUInt8(1, (index + 1) * 6)
    table.writeUInt32BE(at, (index + 1) * 6 + 1)
  }
  const stream = streamOf(
    deflateSync(table, { level: 9 }),
    `/Type /XRef /Size ${table.length / 6} /W [1 4 1] /Root 1 0 R /Filter /FlateDecode`,
  )
  return Buffer.concat([
    Buffer.from(`${plain.slice(0, start)}4 0 obj\n`, 'latin1'),
    stream,
    Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ])
}

function objectsWithoutTable(size: number): Buffer {
  const nested = `[${'['.repeat(50)}${']'.repeat(50)}]`
  const objects: string[] = []
  for (let length = 0; length < size; length += nested.length + 20) objects.push(nested)
  const body = objects.map((object, index) => `${index + 4} 0 obj\n${object}\nendobj\n`).join('')
  const head = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
  ]).toString('latin1')
  const end = `trailer\n<< /Root 1 0 R /Size ${objects.length + 4} >>\nstartxref\n0\n%%EOF\n`
  return Buffer.from(head.slice(0, head.lastIndexOf('xref\n0 ')) + body + end, 'latin1')
}
