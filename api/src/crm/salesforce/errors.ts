import { CrmRefused, CrmUnavailable } from '../port.ts'

/** Errors that are temporary or that an operator can fix. */
const TEMPORARY = new Set([
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
const TEMPORARY_STATUS = new Set([401, 403, 408, 420, 429])

/** Keeps only the error code, because the vendor's messages can quote personal data. */
export function failureOf(status: number, body: unknown): CrmUnavailable | CrmRefused {
  const codes = codesOf(body)
  const [first] = codes
  const temporary = codes.find((code) => TEMPORARY.has(code))
  if (temporary !== undefined || first === undefined) {
    return new CrmUnavailable(temporary ?? `HTTP_${status}`)
  }
  if (status >= 500 || TEMPORARY_STATUS.has(status)) return new CrmUnavailable(first)
  return new CrmRefused(first)
}

function codesOf(body: unknown): string[] {
  return [body].flat().flatMap((error: unknown) => {
    const code = (error as { errorCode?: unknown } | null | undefined)?.errorCode
    // jsforce makes up `ERROR_HTTP_…` if the response has no code.
    return typeof code === 'string' && /^(?!ERROR_HTTP_)[A-Z][A-Z0-9_]+$/.test(code) ? [code] : []
  })
}

export function unreadable(): CrmUnavailable {
  return new CrmUnavailable('UNREADABLE_ANSWER')
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof CrmRefused && codes.includes(error.code)
}
