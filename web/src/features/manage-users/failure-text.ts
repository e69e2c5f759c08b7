import { CallFailure } from '../../api/call-failure.ts'

const NOT_REACHED = 'Please check your internet connection.'

/** The message of a failed call. Without a response it also names the connection. */
export function failureText(error: Error | null): string | undefined {
  if (!error) return undefined
  const unreached = error instanceof CallFailure && error.status === 0
  return unreached ? `${error.message} ${NOT_REACHED}` : error.message
}

/** A result for `Loaded`, with that text. */
export function withFailureText<Result extends { error: Error | null }>(result: Result): Result {
  return { ...result, error: result.error && new Error(failureText(result.error)) }
}
