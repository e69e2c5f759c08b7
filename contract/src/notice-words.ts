import {
  DELIVERY_DAYS,
  OTHER_MAIL_WORDS,
  type Delivery,
  type DeliveryState,
  type NoticeKind,
  type NoticeSwitch,
} from './notices.ts'

/** The label of each switch, and when its email is sent. */
export const NOTICE_WORDS: Readonly<Record<NoticeKind, { label: string; when: string }>> = {
  documentRequested: {
    label: 'Documents we need',
    when: 'When we ask you for a document, 7 and 2 days before it is due, and once when it is overdue.',
  },
  documentReviewed: {
    label: 'Documents you sent',
    when: 'When we have reviewed a document, or cannot use it.',
  },
  appointment: {
    label: 'Appointments',
    when: 'When an appointment is set, moved or cancelled, 7 days before it, and the day before it.',
  },
  claimStep: {
    label: 'Your claim',
    when: 'When your claim reaches a new step.',
  },
  caseManager: {
    label: 'Your case manager',
    when: 'When you get a case manager, or a new one.',
  },
  intake: {
    label: 'Unfinished intake',
    when: 'On the third and the sixth day after you signed up, if you have not finished it.',
  },
}

export const NOTICES_INTRO =
  'We email you when something changes, so you do not have to keep checking. Several changes come in one email, never at night.'
export const SECURITY_MAIL_ALWAYS =
  'Codes, links to reset your password and warnings about your account are always sent. They keep your account safe, so they cannot be turned off.'

/** Announced when a switch is saved. */
export const noticeSaved = ({ kind, on }: NoticeSwitch): string =>
  `${NOTICE_WORDS[kind].label}: saved. You will ${on ? 'get' : 'no longer get'} these emails.`

/** For the screen of the link in an email: the kinds that are off, by one click in the mail program or by a switch. */
export const noticesOff = (kinds: readonly NoticeKind[]): string =>
  `Turned off: ${kinds.map((kind) => NOTICE_WORDS[kind].label).join(', ')}. You will not get these emails.`

const DELIVERY_STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  queued: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Came back',
}

/** What an email was about, in words for staff. */
function deliveryWords(kind: string): string {
  const other: Partial<Record<string, string>> = OTHER_MAIL_WORDS
  const notices: Partial<Record<string, { label: string }>> = NOTICE_WORDS
  return other[kind] ?? notices[kind]?.label ?? 'Email'
}

export const NO_DELIVERIES = `No email was sent to this account in the last ${DELIVERY_DAYS} days.`

/** The status in a report of a mail server (RFC 3463). What our own mail service refuses has another code, such as 550. */
const REPORTED = /^\d\.\d+\.\d+$/

/** Our own mail service did not accept it. */
export const wasRefused = ({ state, result }: Delivery): boolean =>
  state === 'failed' && result !== null && !REPORTED.test(result)

/** `Appointments, Your claim: Came back (5.1.1)` */
export function deliveryLine(delivery: Delivery): string {
  const { kinds, state, result } = delivery
  const about = kinds.map(deliveryWords).join(', ')
  const words = wasRefused(delivery) ? 'Could not be sent' : DELIVERY_STATE_WORDS[state]
  return `${about}: ${words}${result === null ? '' : ` (${result})`}`
}

/** Shown to staff when the emails to an account came back. */
export const EMAIL_UNREACHABLE_STAFF =
  'This person cannot be reached by email: the last messages came back. Notices are not sent. Please call. Codes are still sent: as soon as one is used, notices start again.'
