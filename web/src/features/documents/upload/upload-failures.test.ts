import { expect, it } from 'vitest'
import { CallFailure } from '../../../api/call-failure.ts'
import { failureOf } from './upload-failures.ts'

const failure = (status: number) =>
  failureOf(new CallFailure({ status, code: 'x', message: 'The reason.' }))

it.each([0, 200, 401, 403, 408, 429, 500, 502, 503])('lets a %i be tried again', (status) => {
  expect(failure(status)).toMatchObject({ remedy: 'again', message: 'The reason.' })
})

it.each([400, 404, 413, 415, 422])('never sends the same file again after a %i', (status) => {
  expect(failure(status)).toMatchObject({ remedy: 'other-file', message: 'The reason.' })
})

it('asks for another name after a 409', () => {
  expect(failure(409)).toMatchObject({
    remedy: 'rename',
    message: 'A document with the same name already exists.',
  })
})

it('lets an unexpected error be tried again', () => {
  expect(failureOf(new TypeError('no'))).toMatchObject({
    remedy: 'again',
    noResponse: false,
    message: 'An unexpected error occurred while uploading documents.',
  })
})

it('reports that no response came', () => {
  expect(failure(0).noResponse).toBe(true)
  expect(failure(503).noResponse).toBe(false)
})
