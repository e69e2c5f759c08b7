import {
  documentExists,
  UPLOAD_FAILED_UNEXPECTEDLY,
  type Document,
} from '@guidon/contract/documents'
import { CallFailure } from '../../api/call-failure.ts'
import { sizeText } from '../../ui/size-text.ts'

export { sizeText }

const FINGERPRINT_DIGITS = 12

/** The first digits of a SHA-256 in groups of four, to be compared on the phone. */
export function fingerprint(sha256: string): string {
  return (
    sha256
      .slice(0, FINGERPRINT_DIGITS)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  )
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hour: 'numeric',
  minute: '2-digit',
})

/** `2026-11-03T16:12:00Z` → `4:12 PM UTC`; empty if the text has no time. */
export function timeText(moment: string): string {
  const time = Date.parse(moment)
  return Number.isNaN(time) || !moment.includes('T') ? '' : `${timeFormat.format(time)} UTC`
}

const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

/** Time, size and fingerprint of a file that was uploaded through the portal; lines break only between them. */
export function receiptText({ lastUploadedDate, size, sha256 }: Document): string {
  if (size === null || sha256 === null) return ''
  const parts = [
    lastUploadedDate === null ? '' : timeText(lastUploadedDate),
    sizeText(size),
    `fingerprint ${fingerprint(sha256)}`,
  ]
  return parts.filter(Boolean).map(unbroken).join(', ')
}

/** The message of a failed upload; an error that is not a `CallFailure` is unexpected. */
export function uploadFailure(error: unknown): string {
  return failureText(error, UPLOAD_FAILED_UNEXPECTEDLY)
}

export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof CallFailure)) return fallback
  return error.status === documentExists.status ? documentExists.message : error.message
}
