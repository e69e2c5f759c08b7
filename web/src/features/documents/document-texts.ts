import { documentExists, UPLOAD_FAILED_UNEXPECTEDLY } from '@guidon/contract/documents'
import { CallFailure } from '../../api/call-failure.ts'

const FINGERPRINT_DIGITS = 12

/** The first digits of a SHA-256 in groups of four, to be compared in a phone call. */
export function fingerprint(sha256: string): string {
  return (
    sha256
      .slice(0, FINGERPRINT_DIGITS)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  )
}

/** The message of a failed upload; an error that is not a `CallFailure` is unexpected. */
export function uploadFailure(error: unknown): string {
  return failureText(error, UPLOAD_FAILED_UNEXPECTEDLY)
}

export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof CallFailure)) return fallback
  return error.status === documentExists.status ? documentExists.message : error.message
}
