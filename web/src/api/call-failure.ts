interface FailureFacts {
  /** 0 without a response: no network, or a timeout. */
  status: number
  code: string
  message: string
  fields?: Readonly<Record<string, string>> | undefined
  retryAfterSeconds?: number | undefined
}

/** A failed call; its message is always written for the veteran. */
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

/** Whether the session was refused. Any other failure says nothing about the session. */
export function isAuthFailure(error: unknown): boolean {
  return error instanceof CallFailure && (error.status === 401 || error.status === 403)
}
