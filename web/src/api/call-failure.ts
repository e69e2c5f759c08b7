export interface FailureFacts {
  /** 0 when no answer came: no network, or a time-out. */
  status: number
  code: string
  message: string
  fields?: Readonly<Record<string, string>> | undefined
  retryAfterSeconds?: number | undefined
}

/** A call that did not succeed; its message is always fit for the veteran to read. */
export class CallFailure extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfterSeconds: number | undefined

  constructor({ status, code, message, fields = {}, retryAfterSeconds }: FailureFacts) {
    super(message)
    this.name = 'CallFailure'
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Only these two say anything about the person; every other failure is about the line or the server. */
export function isAuthFailure(error: unknown): boolean {
  return error instanceof CallFailure && (error.status === 401 || error.status === 403)
}
