import { CrmRefused, CrmUnavailable } from '../port.ts'

/** Refusals that pass by themselves or when the operator mends something: worth another try. */
const PASSING = new Set([
  'API_CURRENTLY_DISABLED',
  'API_DISABLED_FOR_ORG',
  'CONCURRENT_API_REQUEST_LIMIT_EXCEEDED',
  'INVALID_QUERY_LOCATOR',
  'INVALID_SESSION_ID',
  'QUERY_TIMEOUT',
  'REQUEST_LIMIT_EXCEEDED',
  'REQUEST_RUNNING_TOO_LONG',
  'SERVER_UNAVAILABLE',
  'UNABLE_TO_LOCK_ROW',
  'UNKNOWN_EXCEPTION',
])
const PASSING_STATUS = new Set([401, 403, 408, 420, 429])

/**
 * What the vendor said, as one of the two answers that the portal knows. Of the vendor's words the code
 * alone is kept: its sentences can repeat what was in a field.
 */
export function failureOf(status: number, body: unknown): CrmUnavailable | CrmRefused {
  const codes = codesOf(body)
  const [told] = codes
  const passing = codes.find((code) => PASSING.has(code))
  if (passing !== undefined || told === undefined) {
    return new CrmUnavailable(passing ?? `HTTP_${status}`)
  }
  if (status >= 500 || PASSING_STATUS.has(status)) return new CrmUnavailable(told)
  return new CrmRefused(told)
}

function codesOf(body: unknown): string[] {
  return [body].flat().flatMap((error: unknown) => {
    const code = (error as { errorCode?: unknown } | null | undefined)?.errorCode
    // The vendor's program makes up `ERROR_HTTP_…` where the answer held no code.
    return typeof code === 'string' && /^(?!ERROR_HTTP_)[A-Z][A-Z0-9_]+$/.test(code) ? [code] : []
  })
}

export function unreadable(): CrmUnavailable {
  return new CrmUnavailable('UNREADABLE_ANSWER')
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof CrmRefused && codes.includes(error.code)
}
