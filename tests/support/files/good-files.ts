import { acroForm, signedPdf, withAttachment, xfaForm } from './form-pdfs.ts'
import {
  byQpdf,
  withIncrementalUpdate,
  samplePdf,
  outputOf,
  compressed,
  pdfOf,
  streamOf,
} from './made-pdf.ts'
import { blank, photo } from './photo.ts'

export type Make = () => Buffer | Promise<Buffer>

const MB = 1024 * 1024

/** Files that veterans have, from several producers; all must be accepted. */
export const goodFiles: Record<string, { kind: 'pdf' | 'jpeg'; flags?: 'scripts'[]; make: Make }> =
  {
    'a form with scripts': { kind: 'pdf', flags: ['scripts'], make: acroForm },
    'a form with scripts and compressed objects': {
      kind: 'pdf',
      flags: ['scripts'],
      make: () => byQpdf(['--object-streams=generate'], acroForm()),
    },
    'an XFA form': { kind: 'pdf', flags: ['scripts'], make: xfaForm },
    'a signed PDF': { kind: 'pdf', make: signedPdf },
    'a PDF with an attached PDF': {
      kind: 'pdf',
      make: () => withAttachment('orders.pdf', samplePdf()),
    },
    'a PDF whose text mentions programs': {
      kind: 'pdf',
      make: () => samplePdf(1, streamOf('BT (MZ, PE, ELF, #!/bin/sh, /Launched) Tj ET')),
    },
    'a PDF with a plain cross-reference table': { kind: 'pdf', make: () => samplePdf() },
    'a PDF of 900 pages': { kind: 'pdf', make: () => samplePdf(900) },
    'a PDF with an incremental update': {
      kind: 'pdf',
      make: () => withIncrementalUpdate(samplePdf()),
    },
    'a linearized PDF': { kind: 'pdf', make: () => byQpdf(['--linearize'], samplePdf()) },
    'a linearized PDF with an incremental update': {
      kind: 'pdf',
      make: async () => withIncrementalUpdate(await byQpdf(['--linearize'], samplePdf())),
    },
    'a PDF with compressed objects': {
      kind: 'pdf',
      make: () => byQpdf(['--object-streams=generate', '--min-version=2.0'], samplePdf()),
    },
    'a PDF by cairo': {
      kind: 'pdf',
      make: () => outputOf('pdftocairo', ['-pdf', 'in', 'out'], samplePdf()),
    },
    'a PDF by poppler': {
      kind: 'pdf',
      make: () => outputOf('pdfunite', ['in', 'in', 'out'], samplePdf()),
    },
    'a PDF with padding at its end': {
      kind: 'pdf',
      make: () => Buffer.concat([samplePdf(), Buffer.from('\r\n \n'), Buffer.alloc(4_000)]),
    },
    'a PDF with a wrong cross-reference table, which viewers repair': {
      kind: 'pdf',
      make: () =>
        Buffer.from(
          samplePdf()
            .toString('latin1')
            .replace(/startxref\n\d+/, 'startxref\n7'),
          'latin1',
        ),
    },
    'a PDF that contains an archive': {
      kind: 'pdf',
      make: () => samplePdf(1, streamOf('PK\u0005\u0006 as an attachment has it')),
    },
    'a PDF of scans, mostly white': {
      kind: 'pdf',
      make: () =>
        pdfOf([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
          ...Array<Buffer>(8).fill(compressed(Buffer.alloc(25 * MB, 0xff))),
        ]),
    },
    'a JPEG': { kind: 'jpeg', make: () => photo().jpeg().toBuffer() },
    'a JPEG by another encoder': {
      kind: 'jpeg',
      make: () => photo().jpeg({ mozjpeg: true }).toBuffer(),
    },
    'a gray JPEG': { kind: 'jpeg', make: () => photo().grayscale().jpeg().toBuffer() },
    'a JPEG for print': {
      kind: 'jpeg',
      make: () => photo().toColourspace('cmyk').jpeg().toBuffer(),
    },
    'a JPEG of one pixel': { kind: 'jpeg', make: () => photo(1, 1).jpeg().toBuffer() },
    'a JPEG by cairo': {
      kind: 'jpeg',
      make: () => {
        const script = 'pdftocairo -jpeg -singlefile "$0" "$1" && mv "$1.jpg" "$1"'
        return outputOf('sh', ['-c', script, 'in', 'out'], samplePdf())
      },
    },
    'a JPEG of 48 million pixels': {
      kind: 'jpeg',
      make: () => blank(8_000, 6_000).jpeg().toBuffer(),
    },
    'a JPEG followed by a video, as phones write them': {
      kind: 'jpeg',
      make: async () =>
        Buffer.concat([await photo().jpeg().toBuffer(), Buffer.alloc(2 * MB, 'ftypmp42')]),
    },
    'a JPEG followed by more pictures, as some cameras write them': {
      kind: 'jpeg',
      make: async () => {
        const jpeg = await photo().jpeg().toBuffer()
        return Buffer.concat([jpeg, Buffer.alloc(100), jpeg])
      },
    },
    'a JPEG with some bytes before its end marker': {
      kind: 'jpeg',
      make: async () => {
        const jpeg = await photo().jpeg().toBuffer()
        return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(8), jpeg.subarray(-2)])
      },
    },
  }
