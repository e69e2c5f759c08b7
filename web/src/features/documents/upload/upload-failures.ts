import { documentExists } from '@guidon/contract/documents'
import { CallFailure } from '../../../api/call-failure.ts'
import { uploadFailure } from '../document-texts.ts'

/**
 * `again`: the same file may succeed later. `rename`: it needs another name. `other-file`: the server will
 * never accept this file.
 */
type Remedy = 'again' | 'rename' | 'other-file'

export interface Failure {
  message: string
  remedy: Remedy
  /** Without a response: no network, or a timeout. */
  noResponse: boolean
  /** Of the server's refusal. */
  code?: string | undefined
}

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429
const NOT_ABOUT_THE_FILE = new Set([401, 403, REQUEST_TIMEOUT, TOO_MANY_REQUESTS])

export function failureOf(error: unknown, messageOf = uploadFailure): Failure {
  const { status, code } = error instanceof CallFailure ? error : {}
  return { message: messageOf(error), remedy: remedyOf(status), noResponse: status === 0, code }
}

function remedyOf(status: number | undefined): Remedy {
  if (status === documentExists.status) return 'rename'
  // Other failures are ours or the network's, such as a response that cannot be read.
  const isRefusal = status !== undefined && status >= 400 && status < 500
  return isRefusal && !NOT_ABOUT_THE_FILE.has(status) ? 'other-file' : 'again'
}

/** The request was answered in another tab or on another device. */
export const REQUEST_ANSWERED: Failure = {
  message: 'We already have a document for this request. There is nothing else to do.',
  remedy: 'other-file',
  noResponse: false,
}
