export interface ErrorEntry {
  message: string
  errorCode: string
  fields?: string[]
}

/** An error response of Salesforce's API: always an array of errors. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: ErrorEntry[]

  constructor(status: number, errors: ErrorEntry[]) {
    super(errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('; '))
    this.status = status
    this.errors = errors
  }
}

export function apiError(
  status: number,
  errorCode: string,
  message: string,
  fields?: string[],
): ApiError {
  return new ApiError(status, [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }])
}

export function noSuchColumn(field: string, object: string): ApiError {
  return apiError(400, 'INVALID_FIELD', `No such column '${field}' on sobject of type ${object}`)
}

export function notFound(): ApiError {
  return apiError(404, 'NOT_FOUND', 'The requested resource does not exist')
}
