/** The numbers of the specification and of its decisions, each with a name. */

export const REQUEST_TIMEOUT_SECONDS = 10
export const REFRESH_WAIT_SECONDS = 10

export const CODE_DIGITS = 6
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
/**
 * Wrong codes in a day: for an account, at its sign-ins on unknown devices; for a sign-up, by its email and
 * the address it comes from.
 */
export const WRONG_CODES_A_DAY = 20
export const RESEND_COOLDOWN_SECONDS = 60
export const RESENDS_AN_HOUR = 5
export const RESEND_BANNER_SECONDS = 5
/** Long enough for a late mail and its resends, short enough for a forgotten tab. */
export const CHALLENGE_MINUTES = 30

/** Wrong passwords for one account from one address before the waiting begins: 1, 2, 4 … minutes. */
export const SIGN_IN_TRIES = 5
export const SIGN_IN_WAIT_MINUTES_MAX = 15
/** For one account, over all devices that it does not know. */
export const WRONG_SIGN_INS_A_DAY = 50
/** Instead, in each window of the day after a reset or an unlock. */
export const WRONG_SIGN_INS_AFTER_RESET = 10

/** The window of the numbers below. */
export const LIMIT_WINDOW_MINUTES = 15
/** From one address, which may be that of a large office. */
export const WRONG_SIGN_INS_FROM_ADDRESS = 100
export const SIGN_UPS_FROM_ADDRESS = 20
export const FORGOTS_FROM_ADDRESS = 20
export const RESENDS_FROM_ADDRESS = 60
/** Mails that anyone can cause by typing an email into the sign-up or into Forgot password. */
export const MAILS_TO_EMAIL = 10
/** Fewer, so that no single address uses up what the owner needs. */
export const MAILS_TO_EMAIL_FROM_ADDRESS = 6
/** Sign-in codes of one account, however they were asked for; a known device has as many for itself. */
export const SIGN_IN_CODES = 6
/** How often one refresh token gives new ones while its access tokens live: answers may be lost. */
export const REFRESHES_OF_ONE_TOKEN = 30

export const RESET_TOKEN_MINUTES = 30
/** How long a password that staff set is good for. */
export const TEMPORARY_PASSWORD_HOURS = 72

export const SIGN_IN_PASSWORD_MIN = 6
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const EMAIL_MAX = 254
export const NAME_MAX = 80
export const PHONE_DIGITS = 10
/** Ids of ours, of the CRM and of the file store are shorter. */
export const ID_MAX = 64
export const SEARCH_MAX = 100
export const CURSOR_MAX = 1_000

export const ACCESS_TOKEN_MINUTES = 5
export const IDLE_MINUTES = { USER: 30, STAFF: 15, ADMIN: 15 } as const
/** How long before the idle limit the person is asked whether to stay. */
export const IDLE_WARNING_SECONDS = 120
export const SESSION_HOURS = { USER: 12, STAFF: 8, ADMIN: 8 } as const

/** How long a browser keeps being known: the longest that browsers keep a cookie. */
export const DEVICE_DAYS = 400

export const MASKED_EMAIL_SHOWN = 3

/** The longest that the CRM's fields hold. */
export const STREET_MAX = 255
export const CITY_MAX = 100
export const DOCUMENT_TYPE_MAX = 80
export const VA_DISABILITY_PAY_MAX = 999_999
export const DEPENDENTS_MAX = 10
export const DATE_OF_BIRTH_MIN = '1925-01-01'
/** Earlier changes of one answer of the intake that are still recognised when they arrive late. */
export const EDITS_REMEMBERED = 50

/** How long a request may take to arrive; a file has its own limits below. */
export const REQUEST_BODY_SECONDS = 15
/** 100 MB at 1 Mbit/s take 14 minutes. */
export const UPLOAD_MINUTES_MAX = 15
/** Slower than this over a whole window, nothing is being sent any more. */
export const UPLOAD_BYTES_A_SECOND_MIN = 8 * 1024
export const UPLOAD_RATE_WINDOW_SECONDS = 30
/** When there is no room for a new upload, one that is slower than this makes room. */
export const UPLOAD_BYTES_A_SECOND_FULL = 64 * 1024
/** What an account may send in 24 hours, unless the operator says otherwise. */
export const UPLOADS_A_DAY = 200
export const UPLOAD_GIGABYTES_A_DAY = 2
/** For each of them, how many files are received and checked, whether accepted or not. */
export const UPLOAD_TRIES_A_FILE = 2.5

/** Blocked tries of one kind are one entry of the audit log and a count for each window of so long. */
export const BLOCKED_WINDOW_MINUTES = 15
/** So many kinds of blocked tries are told apart at a time; all further ones are counted together. */
export const BLOCKED_KINDS_MAX = 1_000
