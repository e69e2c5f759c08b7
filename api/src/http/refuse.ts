import { invalidInput } from '@guidon/contract/refusal'
import type { Refusal, RefusalBody } from '@guidon/contract/refusal'

interface Details {
  fields?: Record<string, string>
  retryAfterSeconds?: number
}

/** An expected refusal, with a message for the veteran. All other errors are unexpected. */
export class RefusalError extends Error {
  override name = 'RefusalError'
  readonly refusal: Refusal
  readonly details: Details

  constructor(refusal: Refusal, details: Details) {
    super(refusal.code)
    this.refusal = refusal
    this.details = details
  }

  get body(): RefusalBody {
    const { code, message } = this.refusal
    return { code, message, ...(this.details.fields && { fields: this.details.fields }) }
  }
}

export function refuse(refusal: Refusal, details: Details = {}): RefusalError {
  return new RefusalError(refusal, details)
}

interface Issue {
  path: PropertyKey[]
  message: string
}

/** Contains the first message for each invalid field. */
export function refuseInput(issues: readonly Issue[]): RefusalError {
  const fields: Record<string, string> = {}
  for (const issue of issues) fields[issue.path.map(String).join('.')] ??= issue.message
  return refuse(invalidInput, { fields })
}
