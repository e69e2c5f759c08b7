import { randomBytes } from 'node:crypto'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { EICAR } from './clamd.ts'
import type { Make } from './good-files.ts'
import { bombs, largeJpeg, largeProgressiveJpeg } from './hostile-bombs.ts'
import {
  byQpdf,
  withIncrementalUpdate,
  samplePdf,
  compressed,
  pdfOf,
  streamOf,
  text,
} from './made-pdf.ts'
import { photo } from './photo.ts'

export { photosWithHiddenContent, pdfsWithPrograms } from './hostile-programs.ts'

type Hostile = Record<string, Make>

const MB = 1024 * 1024
const bytes = (...parts: (string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
const jpeg = () => photo().jpeg().toBuffer()
const part = (whole: Buffer, share: number) => whole.subarray(0, Math.floor(whole.length * share))

/** A zip archive with one entry. `at` is the offset of the archive, `comment` the length of what follows it. */
function zip(at = 0, comment = 0): Buffer {
  const data = deflateRawSync(randomBytes(20_000))
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32LE(data.length, 4)
  sizes.writeUInt32LE(20_000, 8)
  const common = bytes('\u0014\0\0\0\u0008\0\0\0\0\0', sizes, '\u0005\0\0\0')
  const table = Buffer.alloc(14)
  table.writeUInt32LE(at, 10)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(65, 8)
  end.writeUInt32LE(at + 35 + data.length, 12)
  end.writeUInt16LE(comment, 16)
  const local = bytes('PK\u0003\u0004', common, 'a.bat')
  return bytes(local, data, 'PK\u0001\u0002\u0014\0', common, table, 'a.bat', 'PK\u0005\u0006', end)
}

/** A JPEG whose header declares another size than the picture has. */
async function withDeclaredSize(width: number, height: number, options = {}): Promise<Buffer> {
  const whole = await photo(64, 64).jpeg(options).toBuffer()
  const frame = ['\u00ff\u00c0', '\u00ff\u00c2'].map((mark) => whole.indexOf(mark, 2, 'latin1'))
  const at = Math.min(...frame.filter((found) => found > 0))
  whole.writeUInt16BE(height, at + 5)
  whole.writeUInt16BE(width, at + 7)
  return whole
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const locked =
  (bits: string, user: string, owner: string, ...more: string[]): Make =>
  () =>
    byQpdf(['--allow-weak-crypto', '--encrypt', user, owner, bits, ...more, '--'], samplePdf())

export const ofWrongType: Hostile = {
  'an empty file': () => Buffer.alloc(0),
  'one byte': () => bytes('%'),
  'the first four bytes of a PDF': () => bytes('%PDF'),
  'a PDF after one other byte': () => bytes('\n', samplePdf()),
  'a PDF after an email header': () => bytes('Content-Type: application/pdf\r\n\r\n', samplePdf()),
  'a PDF with a lower-case header': () => bytes('%pdf-', samplePdf().subarray(5)),
  'a JPEG after one other byte': async () => bytes('\0', await jpeg()),
  'the first two bytes of a JPEG': () => bytes('\u00ff\u00d8'),
  'an HTML page': () => bytes('<!DOCTYPE html><script>alert(1)</script>'),
  'an HTML page that contains a PDF': () => bytes('<html><!--', samplePdf(), '--></html>'),
  'a Windows program': () => bytes('MZ\u0090\0', randomBytes(5_000)),
  'a Linux program': () => bytes('\u007fELF', randomBytes(5_000)),
  'a script': () => bytes('#!/bin/sh\nrm -rf "$HOME"\n'),
  'a PNG': () => photo().png().toBuffer(),
  'a WebP': () => photo(64, 64).webp().toBuffer(),
  'an SVG': () => bytes('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
  'a JPEG 2000': () => bytes('\0\0\0\u000cjP  \r\n\u0087\n', randomBytes(500)),
  PostScript: () => bytes('%!PS-Adobe-3.0\nshowpage\n'),
  'rich text': () => bytes('{\\rtf1 hello}'),
  'an archive': () => zip(),
  'a PDF followed by an archive': () => bytes(samplePdf(), zip(samplePdf().length)),
  'a file that is both a valid PDF and a valid archive': () => {
    const tail = '\nendstream\nendobj\nstartxref\n0\n%%EOF\n'
    return bytes('%PDF-1.4\n1 0 obj\nstream\n', zip(24, tail.length), tail)
  },
  'a JPEG followed by an archive and a few bytes': async () => bytes(await jpeg(), zip(), '\r\n'),
  'the EICAR test virus': () => EICAR,
}

export const unreadable: Hostile = {
  ...bombs,
  'the first five bytes of a PDF': () => bytes('%PDF-'),
  'a PDF header, noise and an end': () => bytes('%PDF-1.7\n', randomBytes(50_000), '\n%%EOF\n'),
  'the first half of a PDF': () => part(samplePdf(40), 0.5),
  'a PDF without its last two bytes': () => samplePdf().subarray(0, -2),
  'a linearized PDF up to its first end': async () => {
    const whole = await byQpdf(['--linearize'], samplePdf(90))
    return whole.subarray(0, whole.indexOf('%%EOF') + 6)
  },
  'a PDF with a truncated incremental update': () =>
    withIncrementalUpdate(samplePdf()).subarray(0, -20),
  'a PDF without pages': () => pdfOf([catalog, '<< /Type /Pages /Kids [] /Count 0 >>']),
  'a PDF without a catalog': () => pdfOf(['<< /Type /Nothing >>']),
  'a PDF with a cycle in its pages': () =>
    pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
  'a PDF with a cycle in its cross-reference tables': () => {
    const whole = pdfOf(['<< /Type /Nothing >>'])
    const start = /startxref\n(\d+)/.exec(whole.toString('latin1'))![1]!
    return pdfOf(['<< /Type /Nothing >>'], `/Root 1 0 R /Prev ${start}`)
  },
  'a PDF with objects nested 200,000 deep': () =>
    pdfOf([`${'['.repeat(200_000)}${']'.repeat(200_000)}`]),
  'a PDF followed by a script': () => bytes(samplePdf(), '\n;alert(1)//'),
  'a PDF followed by noise': () => bytes(samplePdf(), randomBytes(9_000)),
  'a PDF whose page decompresses to 2 GB': () => samplePdf(1, bomb(2_048)),
  'a PDF whose page decompresses twice, to 1 GB': () => samplePdf(1, doubleBomb(1_024)),
  'a PDF whose compressed objects decompress to 2 GB': () =>
    pdfOf([
      catalog,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      bomb(2_048, '/Type /ObjStm /N 1 /First 4'),
    ]),
  'the first 2 % of a JPEG': async () => part(await jpeg(), 0.02),
  'the first 60 % of a JPEG': async () => part(await jpeg(), 0.6),
  'a JPEG without its last two bytes': async () => (await jpeg()).subarray(0, -2),
  'a JPEG with zeros instead of its end marker': async () =>
    bytes((await jpeg()).subarray(0, -2), Buffer.alloc(8)),
  'the first half of a progressive JPEG': async () =>
    part(await photo().jpeg({ progressive: true }).toBuffer(), 0.5),
  'a JPEG header and noise': async () => bytes(part(await jpeg(), 0.01), randomBytes(50_000)),
  'a JPEG with noise in the middle': async () => {
    const whole = await jpeg()
    return bytes(part(whole, 0.4), randomBytes(20_000), whole.subarray(whole.length * 0.8))
  },
  'the first bytes of a JPEG and a PNG': async () =>
    bytes('\u00ff\u00d8\u00ff', await photo().png().toBuffer()),
  'a JPEG of only its start and end markers': () => bytes('\u00ff\u00d8\u00ff\u00d9'),
  'the first three bytes of a JPEG': () => bytes('\u00ff\u00d8\u00ff'),
  'a JPEG that declares 4 billion pixels': () => withDeclaredSize(65_500, 65_500),
  'a progressive JPEG of 56 million pixels': () => largeProgressiveJpeg(8_000, 7_000, 1),
  'a JPEG of 224 million pixels': () => largeJpeg(16_000, 14_000),
  'a JPEG that declares twice its height': () => withDeclaredSize(64, 128),
  'a JPEG that declares no pixels': () => withDeclaredSize(0, 0),
}

export const passwordProtected: Hostile = {
  'RC4 of 40 bits, to open': locked('40', 'user', 'owner'),
  'RC4 of 128 bits, to change': locked('128', '', 'owner', '--use-aes=n'),
  'AES of 128 bits, to change': locked('128', '', 'owner', '--use-aes=y'),
  'AES of 128 bits, except its metadata': locked(
    '128',
    '',
    'owner',
    '--use-aes=y',
    '--cleartext-metadata',
  ),
  'AES of 256 bits, to open': locked('256', 'user', 'owner'),
  'AES of 256 bits, revision 5, to change': locked('256', '', 'owner', '--force-R5'),
  'an empty password for both': locked('256', '', '', '--allow-insecure'),
  'a long password in other scripts': locked('256', 'пароль密码', 'x'.repeat(100)),
  'a linearized PDF': () =>
    byQpdf(['--linearize', '--encrypt', 'u', 'o', '256', '--'], samplePdf()),
  'compressed objects': () =>
    byQpdf(['--object-streams=generate', '--encrypt', '', 'o', '256', '--'], samplePdf()),
  'an unknown security handler': () =>
    pdfOf(
      [
        catalog,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R >>',
        '<< /Filter /Acme /V 9 >>',
      ],
      '/Root 1 0 R /Encrypt 4 0 R',
    ),
}

export const infected: Hostile = {
  'in a page of a PDF': () => samplePdf(1, streamOf(EICAR)),
  'after the text of a compressed page': () => samplePdf(1, compressed(bytes(text(50), EICAR))),
  'in a comment of a JPEG': async () => {
    const whole = await jpeg()
    return bytes(whole.subarray(0, 2), '\u00ff\u00fe\0\u0046', EICAR, whole.subarray(2))
  },
}

function bomb(megabytes: number, dictionary = ''): Buffer {
  return streamOf(zeros(megabytes), `/Filter /FlateDecode ${dictionary}`)
}

function doubleBomb(megabytes: number): Buffer {
  return streamOf(deflateSync(zeros(megabytes)), '/Filter [/FlateDecode /FlateDecode]')
}

/** Compressed zeros, made without holding them all in memory. */
function zeros(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MB), { finishFlush: 2 })
  return bytes('\u0078\u009c', ...Array.from({ length: megabytes }, () => block), '\u0003\0')
}
