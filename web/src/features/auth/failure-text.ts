import { CallFailure } from '../../api/call-failure.ts'

const CHECK_CONNECTION =
  'We could not reach the portal. Please check your internet connection. What you typed is still here.'

/** The message of a failed call. Without any response, it also names the connection. */
export function failureText(failure: Error | null): string | undefined {
  if (!(failure instanceof CallFailure)) return failure?.message
  // The fields have their own messages.
  if (Object.keys(failure.fields).length > 0) return undefined
  return failure.status === 0 ? `${failure.message} ${CHECK_CONNECTION}` : failure.message
}
