import { DEVICE_DAYS } from '@guidon/contract/limits'

/**
 * How long a thing is kept after it is over, in hours, and why. Audit events are kept for good, and what
 * belongs to an account stays as long as the account. docs/operate/records.md tells it to the operator.
 */

const DAY = 24

/** A day in which someone may ask why a code or a link did not work. */
export const KEEP_CHALLENGES = DAY
export const KEEP_RESET_TOKENS = DAY

/**
 * A token that comes back is noticed as long as its session could live; after that it opens nothing anyway.
 * Account activity is told by the audit log, not by these.
 */
export const KEEP_SESSIONS = DAY

/** Its code is void after minutes, and nothing else opens it: a day to look into why it did not arrive. */
export const KEEP_SIGN_UPS = DAY

/** Unverified accounts of the previous release, which that release lets sign in. */
export const KEEP_UNVERIFIED = 7 * DAY

/** A window that is over counts nothing: the next try starts a new one. */
export const KEEP_LIMITS = 0

/** A job is delivered again for as long as the queue keeps it: 14 days. Twice that, and a mail cannot go out twice. */
export const KEEP_SENT_MAILS = 30 * DAY

/** What the CRM and the file store have confirmed; a month to look into what was sent. */
export const KEEP_SENT_ENTRIES = 30 * DAY
export const KEEP_STORED_UPLOADS = 30 * DAY

/** Only the newest is acted upon; a month shows a trend. */
export const KEEP_USAGE = 30 * DAY

/** Where an event came from: long enough to notice a stolen account and look into it, then nobody's business. */
export const KEEP_SOURCES = 90 * DAY

/** As long as a browser keeps the cookie that makes it known. */
export const KEEP_DEVICES = DEVICE_DAYS * DAY
