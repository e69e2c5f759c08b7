import { expect, it } from 'vitest'
import { failureOf } from './errors.ts'

const error = (errorCode: string) => ({ errorCode, message: 'james@example.com is taken' })

it.each([
  [400, [error('REQUEST_LIMIT_EXCEEDED')], 'REQUEST_LIMIT_EXCEEDED'],
  [400, [error('UNABLE_TO_LOCK_ROW')], 'UNABLE_TO_LOCK_ROW'],
  [400, [error('INVALID_FIELD'), error('UNABLE_TO_LOCK_ROW')], 'UNABLE_TO_LOCK_ROW'],
  [503, [error('SERVER_UNAVAILABLE')], 'SERVER_UNAVAILABLE'],
  [500, [error('SOMETHING_NEW')], 'SOMETHING_NEW'],
  [401, [error('INVALID_SESSION_ID')], 'INVALID_SESSION_ID'],
  [403, [error('API_DISABLED_FOR_ORG')], 'API_DISABLED_FOR_ORG'],
  [403, [error('INSUFFICIENT_ACCESS')], 'INSUFFICIENT_ACCESS'],
  [429, '', 'HTTP_429'],
  [404, '<html>', 'HTTP_404'],
  [404, error('ERROR_HTTP_404'), 'HTTP_404'],
  [400, [error('james@example.com')], 'HTTP_400'],
  [400, null, 'HTTP_400'],
])('%d %j is a temporary failure', (status, body, code) => {
  const failure = failureOf(status, body)
  expect(failure).toMatchObject({ name: 'CrmUnavailable', code })
  expect(failure.message).not.toContain('james')
})

it.each([
  [400, 'INVALID_FIELD'],
  [400, 'REQUIRED_FIELD_MISSING'],
  [400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION'],
  [400, 'DUPLICATE_VALUE'],
  [404, 'NOT_FOUND'],
  [404, 'ENTITY_IS_DELETED'],
])('%d %s is a refusal', (status, code) => {
  const failure = failureOf(status, [error(code)])
  expect(failure).toMatchObject({ name: 'CrmRefused', code })
  expect(failure.message).not.toContain('james')
})
