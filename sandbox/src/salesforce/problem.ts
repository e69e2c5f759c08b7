export interface WireError {
  message: string
  errorCode: string
  fields?: string[]
}

/** A refusal as the service words it: an array of errors, whatever their number. */
export class Problem extends Error {
  readonly status: number
  readonly errors: WireError[]

  constructor(status: number, errors: WireError[]) {
    super(errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('; '))
    this.status = status
    this.errors = errors
  }
}

export function problem(
  status: number,
  errorCode: string,
  message: string,
  fields?: string[],
): Problem {
  return new Problem(status, [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }])
}

export function noSuchColumn(field: string, object: string): Problem {
  return problem(400, 'INVALID_FIELD', `No such column '${field}' on sobject of type ${object}`)
}

export function notFound(): Problem {
  return problem(404, 'NOT_FOUND', 'The requested resource does not exist')
}
