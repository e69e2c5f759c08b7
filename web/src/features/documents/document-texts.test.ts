import { expect, it } from 'vitest'
import { CallFailure } from '../../api/call-failure.ts'
import { sizeText } from '../../ui/size-text.ts'
import { fingerprint, uploadFailure } from './document-texts.ts'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1536, '1.5 KB'],
  [493_568, '482 KB'],
  [2_411_724, '2.3 MB'],
  [104_857_600, '100 MB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

it('shows the first twelve digits of a fingerprint', () => {
  expect(fingerprint('3fa9c1d2b04e77aa')).toBe('3fa9 c1d2 b04e')
})

it.each([
  [409, 'whatever', 'A document with the same name already exists.'],
  [422, 'It is locked.', 'It is locked.'],
])('writes the message of an upload that failed with %i', (status, message, text) => {
  expect(uploadFailure(new CallFailure({ status, code: 'x', message }))).toBe(text)
})

it('writes the message of an unexpected failure', () => {
  expect(uploadFailure(new TypeError('x is undefined'))).toBe(
    'An unexpected error occurred while uploading documents.',
  )
})
