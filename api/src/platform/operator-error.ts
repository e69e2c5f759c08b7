/** Something that the operator can fix. The message says what to do and contains no secret. No stack trace is printed. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
