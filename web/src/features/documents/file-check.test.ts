import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { expect, it } from 'vitest'
import { FILE_INPUT_ACCEPT, refusalMessage } from './file-check.ts'

const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'
const pdf = '%PDF-1.7\n'
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])

it.each([
  ['a PDF', new File([pdf], 'a.pdf', { type: 'application/pdf' })],
  ['a JPEG', new File([jpeg], 'a.jpeg', { type: 'image/jpeg' })],
  ['a .JPG without a MIME type', new File([jpeg], 'A.JPG')],
  ['a photo without an extension', new File([jpeg], 'image', { type: 'image/jpeg' })],
])('accepts %s', async (_, file) => {
  expect(await refusalMessage(file)).toBeUndefined()
})

it.each([
  ['another type', new File([pdf], 'a.png', { type: 'image/png' })],
  ['another extension without a MIME type', new File([pdf], 'a.docx')],
  ['other content in a file named .pdf', new File(['hello'], 'a.pdf', { type: 'application/pdf' })],
  [
    'a PDF whose signature is not at the start',
    new File([` ${pdf}`], 'a.pdf', { type: 'application/pdf' }),
  ],
  ['an empty file', new File([], 'a.pdf', { type: 'application/pdf' })],
])('refuses %s', async (_, file) => {
  expect(await refusalMessage(file)).toBe(WRONG_TYPE)
})

it('refuses a file that is too large, before it is sent', async () => {
  const file = new File([pdf], 'a.pdf', { type: 'application/pdf' })
  Object.defineProperty(file, 'size', { value: DOCUMENT_MAX_BYTES + 1 })
  expect(await refusalMessage(file)).toBe(
    'A file can be at most 100 MB. Please upload a smaller file.',
  )
})

it('lists the accepted types for a file chooser', () => {
  expect(FILE_INPUT_ACCEPT).toBe('application/pdf,.pdf,image/jpeg,.jpg,.jpeg')
})
