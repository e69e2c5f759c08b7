import { randomBytes } from 'node:crypto'

interface Details {
  context?: Record<string, unknown>
  headers?: Record<string, string>
}

/** An error response of Box's API. The codes are those of Box's list of common errors. */
export class BoxError extends Error {
  readonly status: number
  readonly code: string
  readonly context: Record<string, unknown> | undefined
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.context = details.context
    this.headers = details.headers ?? {}
  }

  get body() {
    return {
      type: 'error',
      status: this.status,
      code: this.code,
      ...(this.context && { context_info: this.context }),
      help_url: 'http://developers.box.com/docs/#errors',
      message: this.message,
      request_id: randomBytes(8).toString('hex'),
    }
  }
}

export const badRequest = (message: string) => new BoxError(400, 'bad_request', message)

export const notFound = (message = 'Not Found') => new BoxError(404, 'not_found', message)

export const badDigest = () =>
  new BoxError(400, 'bad_digest', 'The specified content-md5 did not match what we received')

export const etagMismatch = () =>
  new BoxError(
    412,
    'precondition_failed',
    'The resource has been modified. Please retrieve the resource again and retry',
  )

/** Box names the existing item: as an object for files, as a list for folders. */
export const nameInUse = (conflicts: unknown) =>
  new BoxError(409, 'item_name_in_use', 'Item with the same name already exists', {
    context: { conflicts },
  })

export const unauthorized = () =>
  new BoxError(401, 'unauthorized', 'Unauthorized', {
    headers: {
      'www-authenticate':
        'Bearer realm="Service", error="invalid_token", ' +
        'error_description="The access token provided is invalid."',
    },
  })

export const tooManyRequests = (seconds: number) =>
  new BoxError(429, 'rate_limit_exceeded', 'Request rate limit exceeded, please try again later', {
    headers: { 'retry-after': String(seconds) },
  })

export const tooLarge = () =>
  new BoxError(
    413,
    'request_entity_too_large',
    'The file is too large for a direct upload; use an upload session',
  )
