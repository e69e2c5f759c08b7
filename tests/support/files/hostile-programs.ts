import { deflateSync, gzipSync } from 'node:zlib'
import { withAttachment } from './form-pdfs.ts'
import type { Make } from './good-files.ts'
import { byQpdf, samplePdf, pdfOf, streamOf } from './made-pdf.ts'
import { photo } from './photo.ts'
import * as programs from './programs.ts'

const catalog = (more: string) => `<< /Type /Catalog /Pages 2 0 R ${more} >>`
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'
const opening = (action: string, ...more: (string | Buffer)[]) =>
  pdfOf([catalog(`/OpenAction ${action}`), pages, page, ...more])

/** Compresses the objects, so that the bytes of the file do not contain the action's name. */
const inCompressedObjects = async (pdf: Buffer) => {
  const whole = await byQpdf(['--object-streams=generate'], pdf)
  if (whole.includes('Launch')) throw new Error('the action is not compressed')
  return whole
}
const LAUNCH = '<< /S /Launch /Win << /F (cmd.exe) /P (/c calc) >> >>'

export const pdfsWithPrograms: Record<string, Make> = {
  'by an action when it opens': () => opening(LAUNCH),
  'by an action with an encoded letter in its name': () =>
    opening('<< /S /#4caunch /F (calc.exe) >>'),
  'by an action with a fully encoded name': () =>
    opening('<< /#53 /#4C#61#75#6e#63#68 /F (calc.exe) >>'),
  'by an action in compressed objects, with an encoded letter in its name': () =>
    inCompressedObjects(opening('4 0 R', '<< /S /L#61unch /F (calc.exe) >>')),
  'by an action whose type is another compressed object': () =>
    inCompressedObjects(opening('<< /S 4 0 R /F (calc.exe) >>', '/Launch')),
  'by an action in an object outside the cross-reference table': () =>
    Buffer.concat([
      samplePdf().subarray(0, -6),
      Buffer.from(`\n9 0 obj\n${LAUNCH}\nendobj\n%%EOF\n`),
    ]),
  'by rich media': () =>
    pdfOf([
      catalog(''),
      pages,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R] >>',
      '<< /Type /Annot /Subtype /RichMedia /Rect [0 0 612 792] /RichMediaContent << >> >>',
    ]),
  'with a Windows program attached': () => withAttachment('report.pdf', programs.windowsProgram()),
  'with a compressed Windows program attached': () =>
    pdfOf([
      catalog('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>'),
      pages,
      page,
      '<< /Type /Filespec /F (report.pdf) /EF 5 0 R >>',
      '<< /F 6 0 R >>',
      streamOf(deflateSync(programs.windowsProgram()), '/Filter /FlateDecode'),
    ]),
  'with a Linux program attached in hexadecimal': () =>
    pdfOf([
      catalog('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>'),
      pages,
      page,
      '<< /Type /Filespec /F (report.pdf) /EF << /F 5 0 R >> >>',
      streamOf(`${programs.linuxProgram().toString('hex')}>`, '/Filter /ASCIIHexDecode'),
    ]),
  'with a script attached, recognized by its name': () =>
    withAttachment('report.pdf.vbs', Buffer.from('MsgBox "hello"')),
  'with a Windows program after its end': () =>
    Buffer.concat([samplePdf(), programs.windowsProgram()]),
  'with a Linux program after its end': () => Buffer.concat([samplePdf(), programs.linuxProgram()]),
  'with a Mac program after its end': () => Buffer.concat([samplePdf(), programs.macProgram()]),
  'with a script after its end': () => Buffer.concat([samplePdf(), programs.shellScript()]),
}

const afterPhoto =
  (...parts: Buffer[]): Make =>
  async () =>
    Buffer.concat([await photo().jpeg().toBuffer(), ...parts])

export const photosWithHiddenContent: Record<string, Make> = {
  'some padding and a Windows program after it': afterPhoto(
    Buffer.alloc(777),
    programs.windowsProgram(),
  ),
  'an HTML script after it': afterPhoto(Buffer.from('<script>alert(1)</script>')),
  'a RAR archive after it': afterPhoto(programs.rarArchive()),
  'a 7z archive after it': afterPhoto(programs.sevenZipArchive()),
  'a gzip archive after it': afterPhoto(gzipSync('text')),
  'a PDF after it': afterPhoto(samplePdf()),
  'a program in a comment': async () => {
    const whole = await photo().jpeg().toBuffer()
    const program = programs.windowsProgram()
    const comment = Buffer.from([0xff, 0xfe, 0, 0])
    comment.writeUInt16BE(program.length + 2, 2)
    return Buffer.concat([whole.subarray(0, 2), comment, program, whole.subarray(2)])
  },
  'a PDF after its first bytes': () =>
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), samplePdf()]),
}
