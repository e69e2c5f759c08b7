import { createHash, randomBytes } from 'node:crypto'
import { compressed, pdfOf, streamOf, text } from './made-pdf.ts'

/** Forms as veterans get them from the VA: with scripts, with XFA, or signed. Their bytes must not change. */

const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = (more: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${more} >>`

/** A form from Acrobat with a script that formats a date. */
export function acroForm(): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /Names << /JavaScript 7 0 R >> >>',
    pages,
    page('/Annots [5 0 R]'),
    compressed(text(20)),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Date) /Rect [40 700 200 720] /P 3 0 R /F 4 ' +
      '/AA << /F << /S /JavaScript /JS (AFDate_FormatEx\\("mm/dd/yyyy"\\);) >> >> >>',
    '<< /Fields [5 0 R] /DA (/Helv 0 Tf 0 g) /NeedAppearances true >>',
    '<< /Names [(Check) 8 0 R] >>',
    '<< /S /JavaScript /JS 9 0 R >>',
    compressed('function check(field) { return field.value.length > 0 }'),
  ])
}

/** A LiveCycle form: an array of packets, each in its own stream. */
export function xfaForm(): Buffer {
  const packets = {
    'xdp:xdp': '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">',
    template:
      '<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1">' +
      '<field name="Name"><event activity="click"><script contentType="application/x-javascript">' +
      'xfa.host.messageBox("Sign on page 2");</script></event></field></subform></template>',
    datasets:
      '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data/></xfa:datasets>',
    '/xdp:xdp': '</xdp:xdp>',
  }
  const names = Object.keys(packets).map((name, index) => `(${name}) ${index + 7} 0 R`)
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /NeedsRendering true >>',
    pages,
    page('/Annots [5 0 R]'),
    compressed(text(20)),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (form1[0].Name[0]) /Rect [40 700 200 720] /P 3 0 R >>',
    `<< /Fields [5 0 R] /XFA [${names.join(' ')}] >>`,
    ...Object.values(packets).map((xml) => compressed(xml)),
  ])
}

const SIGNATURE_BYTES = 4_000

/** The signature covers all bytes except the signature itself. */
export function signedPdf(): Buffer {
  const empty = `<${'0'.repeat(SIGNATURE_BYTES * 2)}>`
  const unknown = '/ByteRange [0 0000000000 0000000000 0000000000]'
  const whole = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /SigFlags 3 >> >>',
    pages,
    page('/Annots [5 0 R]'),
    compressed(text(20)),
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /V 6 0 R /Rect [0 0 0 0] /P 3 0 R /F 132 >>',
    '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /M (D:20261101120000Z) ' +
      `/Name (Ada Berg) ${unknown} /Contents ${empty} >>`,
  ])
  const from = whole.indexOf(empty)
  const to = from + empty.length
  const digits = (number: number) => String(number).padStart(10, '0')
  const range = `/ByteRange [0 ${digits(from)} ${digits(to)} ${digits(whole.length - to)}]`
  whole.write(range, whole.indexOf(unknown), 'latin1')
  const digest = createHash('sha256').update(whole.subarray(0, from)).update(whole.subarray(to))
  const signature = Buffer.concat([digest.digest(), randomBytes(SIGNATURE_BYTES - 32)])
  whole.write(signature.toString('hex'), from + 1, 'latin1')
  return whole
}

export function withAttachment(name: string, content: Buffer): Buffer {
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(${name}) 5 0 R] >> >> >>`,
    pages,
    page(''),
    compressed(text(20)),
    `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 6 0 R >> >>`,
    streamOf(content, '/Type /EmbeddedFile'),
  ])
}
