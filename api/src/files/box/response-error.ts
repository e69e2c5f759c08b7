import { BoxSdkError } from 'box-node-sdk/box'
import { FilesRefused, FilesUnavailable } from '../port.ts'

/** The item that already has the name. */
export interface Conflict {
  type: string
  id: string
  sha1: string | undefined
}

/** Thrown instead of the error of the Box SDK, because that error contains the request and its token. */
export class BoxResponseError extends Error {
  override name = 'BoxResponseError'
  readonly status: number
  readonly code: string
  readonly conflict: Conflict | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, headers: Record<string, string>, body: unknown) {
    const { code, error, context_info: context } = (body ?? {}) as Record<string, unknown>
    const word = [code, error].find((value) => typeof value === 'string') ?? 'unknown'
    super(`Box responded ${status}`)
    this.status = status
    this.code = word
    this.conflict = conflictOf((context as { conflicts?: unknown } | undefined)?.conflicts)
    this.retryAfterSeconds = secondsOf(headers['retry-after'])
  }
}

// Box sends one object for a file and a list for a folder.
function conflictOf(conflicts: unknown): Conflict | undefined {
  const item: unknown = Array.isArray(conflicts) ? conflicts[0] : conflicts
  const { type, id, sha1 } = (item ?? {}) as Record<string, unknown>
  if (typeof id !== 'string') return undefined
  return { type: String(type), id, sha1: typeof sha1 === 'string' ? sha1 : undefined }
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = Number(retryAfter)
  const wait = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined
}

export const NAME_IN_USE = 'item_name_in_use'
const NAME_CODES = new Set(['item_name_invalid', 'item_name_too_long'])

/** Translates errors of Box and of its SDK to those of the port. */
export function translated(error: unknown): unknown {
  if (error instanceof BoxResponseError) return ofResponse(error)
  // The SDK could not parse the response.
  if (error instanceof BoxSdkError) return new FilesUnavailable('bad_answer')
  return error
}

function ofResponse({ status, code, retryAfterSeconds }: BoxResponseError): Error {
  if (status === 429) return new FilesUnavailable('too_many_calls', retryAfterSeconds)
  if (status >= 500) return new FilesUnavailable('failed', retryAfterSeconds)
  if (code === 'storage_limit_exceeded') return new FilesUnavailable('no_space', retryAfterSeconds)
  // Our own account is rejected: it works again once the operator fixes it.
  if (code === 'invalid_client' || code === 'invalid_grant' || status === 401 || status === 403) {
    return new FilesUnavailable('no_access', retryAfterSeconds)
  }
  // The bytes were changed on the way.
  if (code === 'bad_digest') return new FilesUnavailable('damaged')
  if (status === 412) return new FilesUnavailable('changed_meanwhile')
  if (status === 202) return new FilesUnavailable('not_ready', retryAfterSeconds)
  if (status === 404) return new FilesRefused('not_found')
  if (code === NAME_IN_USE) return new FilesRefused('name_taken')
  // For example, another call is using the same name at this moment.
  if (status === 409) return new FilesUnavailable('conflict', retryAfterSeconds)
  if (status === 413) return new FilesRefused('too_large')
  return new FilesRefused(NAME_CODES.has(code) ? 'name_invalid' : 'invalid')
}
