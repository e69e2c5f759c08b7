import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'

const run = promisify(execFile)

/** Makes a PDF of these objects, numbered from 1. Each is the text between `obj` and `endobj`. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = '/Root 1 0 R'): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  const offsets = objects.map((object, index) => {
    const at = length()
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), bytesOf(object), Buffer.from('\nendobj\n'))
    return at
  })
  const start = length()
  const lines = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  parts.push(
    Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${lines.join('')}`),
    Buffer.from(`trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

const bytesOf = (value: string | Buffer) =>
  typeof value === 'string' ? Buffer.from(value, 'latin1') : value

export function streamOf(content: string | Buffer, dictionary = ''): Buffer {
  const bytes = bytesOf(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

export const compressed = (content: string | Buffer) =>
  streamOf(deflateSync(content), '/Filter /FlateDecode')

/** Pages of text, like those of a word processor. */
export function samplePdf(pages = 3, content: Buffer = compressed(text(400))): Buffer {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 5} 0 R`)
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
    '/Resources << /Font << /F1 3 0 R >> >> >>'
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    content,
    ...kids.map(() => page),
  ])
}

export function text(lines: number): string {
  const line = (n: number) =>
    `BT /F1 9 Tf 40 ${780 - (n % 70) * 11} Td (Statement ${n * 7919}) Tj ET`
  return Array.from({ length: lines }, (_, n) => line(n)).join('\n')
}

/** Appends an incremental update, as forms and signatures do. */
export function withIncrementalUpdate(pdf: Buffer): Buffer {
  const whole = pdf.toString('latin1')
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(whole)![1]
  const root = /\/Root (\d+ 0 R)/.exec(whole)![1]
  const info = `20 0 obj\n<< /Title (Changed) >>\nendobj\n`
  const xref =
    `xref\n20 1\n${String(pdf.length).padStart(10, '0')} 00000 n \n` +
    `trailer\n<< /Size 21 /Root ${root} /Info 20 0 R /Prev ${before} >>\n` +
    `startxref\n${pdf.length + info.length}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(info + xref)])
}

/** Runs a program on a file and returns its output; the arguments `in` and `out` become paths. */
export async function outputOf(
  program: string,
  args: readonly string[],
  source: Buffer,
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'guidon-made-'))
  try {
    const [input, output] = [join(folder, 'in.pdf'), join(folder, 'out')]
    await writeFile(input, source)
    const paths: Record<string, string> = { in: input, out: output }
    await run(
      program,
      args.map((arg) => paths[arg] ?? arg),
    )
    return await readFile(output)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const byQpdf = (args: readonly string[], source: Buffer) =>
  outputOf('qpdf', [...args, 'in', 'out'], source)
