import { deflateSync, gzipSync } from 'node:zlib'
import { withAttachment } from './form-pdfs.ts'
import type { Make } from './good-files.ts'
import { byQpdf, changedLater, samplePdf, pdfOf, streamOf } from './made-pdf.ts'
import { photo } from './photo.ts'
import * as programs from './programs.ts'

const catalog = (more: string) => `<< /Type /Catalog /Pages 2 0 R ${more} >>`
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'
const opening = (action: string, ...more: (string | Buffer)[]) =>
  pdfOf([catalog(`/OpenAction ${action}`), pages, page, ...more])

/** Compresses the objects, so that the bytes of the file do not contain the action's name. */
const inPackedObjects = async (pdf: Buffer) => {
  const whole = await byQpdf(['--object-streams=generate'], pdf)
  if (whole.includes('Launch')) throw new Error('the action is not compressed')
  return whole
}
const LAUNCH = '<< /S /Launch /Win << /F (cmd.exe) /P (/c calc) >> >>'

export const startingPrograms: Record<string, Make> = {
  'by an action when it opens': () => opening(LAUNCH),
  'by an action with a name in codes': () => opening('<< /S /#4caunch /F (calc.exe) >>'),
  'by an action with a name all in codes': () =>
    opening('<< /#53 /#4C#61#75#6e#63#68 /F (calc.exe) >>'),
  'by an action in packed objects': () => inPackedObjects(opening('4 0 R', LAUNCH)),
  'by an action in packed objects, with a name in codes': () =>
    inPackedObjects(opening('4 0 R', '<< /S /L#61unch /F (calc.exe) >>')),
  'by an action whose kind stands elsewhere, in packed objects': () =>
    inPackedObjects(opening('<< /S 4 0 R /F (calc.exe) >>', '/Launch')),
  'by a link on a page': () =>
    pdfOf([
      catalog(''),
      pages,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots [4 0 R] >>',
      `<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A ${LAUNCH} >>`,
    ]),
  'by an action in an object that no table names': () =>
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
  'with a program for Windows attached': () =>
    withAttachment('report.pdf', programs.windowsProgram()),
  'with a packed program for Windows attached': () =>
    pdfOf([
      catalog('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>'),
      pages,
      page,
      '<< /Type /Filespec /F (report.pdf) /EF 5 0 R >>',
      '<< /F 6 0 R >>',
      streamOf(deflateSync(programs.windowsProgram()), '/Filter /FlateDecode'),
    ]),
  'with a program for Linux attached, its bytes as digits': () =>
    pdfOf([
      catalog('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>'),
      pages,
      page,
      '<< /Type /Filespec /F (report.pdf) /EF << /F 5 0 R >> >>',
      streamOf(`${programs.linuxProgram().toString('hex')}>`, '/Filter /ASCIIHexDecode'),
    ]),
  'with a script attached, by its name': () =>
    withAttachment('report.pdf.vbs', Buffer.from('MsgBox "hello"')),
  'with a program for Windows behind its end': () =>
    Buffer.concat([samplePdf(), programs.windowsProgram()]),
  'with a program for Linux behind its end': () =>
    Buffer.concat([samplePdf(), programs.linuxProgram()]),
  'with a program for Linux between two ends': () =>
    Buffer.concat([samplePdf(), programs.linuxProgram(), changedLater(samplePdf()).subarray(-300)]),
  'with a program for the Mac behind its end': () =>
    Buffer.concat([samplePdf(), programs.macProgram()]),
  'with a script behind its end': () => Buffer.concat([samplePdf(), programs.shellScript()]),
}

const behindPhoto =
  (...parts: Buffer[]): Make =>
  async () =>
    Buffer.concat([await photo().jpeg().toBuffer(), ...parts])

export const photosWithAttachment: Record<string, Make> = {
  'a program for Windows behind it': behindPhoto(programs.windowsProgram()),
  'a program for Windows behind it and some padding': behindPhoto(
    Buffer.alloc(777),
    programs.windowsProgram(),
  ),
  'a program for Linux behind it': behindPhoto(programs.linuxProgram()),
  'a program for the Mac behind it': behindPhoto(programs.macProgram()),
  'a script behind it': behindPhoto(programs.shellScript()),
  'a page’s script behind it': behindPhoto(Buffer.from('<script>alert(1)</script>')),
  'a RAR archive behind it': behindPhoto(programs.rarArchive()),
  'a 7z archive behind it': behindPhoto(programs.sevenZipArchive()),
  'a gzip archive behind it': behindPhoto(gzipSync('text')),
  'a PDF behind it': behindPhoto(samplePdf()),
  'a program in a note': async () => {
    const whole = await photo().jpeg().toBuffer()
    const program = programs.windowsProgram()
    const note = Buffer.from([0xff, 0xfe, 0, 0])
    note.writeUInt16BE(program.length + 2, 2)
    return Buffer.concat([whole.subarray(0, 2), note, program, whole.subarray(2)])
  },
  'a PDF behind its first bytes': () =>
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), samplePdf()]),
}
