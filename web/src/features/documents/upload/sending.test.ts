import { expect, it } from 'vitest'
import { CallFailure } from '../../../api/call-failure.ts'
import { waitOf } from './sending.ts'

it.each([
  ['a lost connection', 0, 'no_network', 1, 'connection'],
  ['a slow connection', 408, 'upload_too_slow', 0.5, 'connection'],
  ['a part without a response', 0, 'timed_out', 0.5, 'connection'],
  ['a check that takes long', 0, 'timed_out', 1, 'check'],
  ['a server that cannot take the file', 503, 'uploads_busy', 0.5, 'server'],
])('waits because of %s', (_, status, code, sentFraction, wait) => {
  expect(waitOf(new CallFailure({ status, code, message: '' }), sentFraction)).toBe(wait)
})
