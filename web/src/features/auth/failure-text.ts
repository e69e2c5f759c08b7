import { CallFailure } from '../../api/call-failure.ts'

const CHECK_CONNECTION =
  'We could not reach the portal. Please check your internet connection. What you typed is still here.'

/** The message of a failed call. Without any response, it also names the connection. */
export function failureText(failure: Error): string {
  const unreachable = failure instanceof CallFailure && failure.status === 0
  return unreachable ? `${failure.message} ${CHECK_CONNECTION}` : failure.message
}
