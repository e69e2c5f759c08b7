/** The status of a failed call is 0 if no response came. */
const isWithoutResponse = (error: Error): boolean => 'status' in error && error.status === 0

/** The message of a failed call. Without a response it also mentions the connection. */
export function failureText(error: Error | null): string | undefined {
  if (!error) return undefined
  if (!isWithoutResponse(error)) return error.message
  return `${error.message} Please check your internet connection.`
}
