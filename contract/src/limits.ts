/** The numbers of the specification and of its decisions, each with a name. */

export const REQUEST_TIMEOUT_SECONDS = 10
export const REFRESH_WAIT_SECONDS = 10

export const CODE_DIGITS = 6
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
/** Wrong codes an account may see in a day, whatever the challenge. */
export const WRONG_CODES_A_DAY = 20
export const RESEND_COOLDOWN_SECONDS = 60
export const RESENDS_AN_HOUR = 5
export const RESEND_BANNER_SECONDS = 5
/** Long enough for a late mail and its resends, short enough for a forgotten tab. */
export const CHALLENGE_MINUTES = 30

/** Wrong passwords for one account from one address before the waiting begins: 1, 2, 4 … minutes. */
export const SIGN_IN_TRIES = 5
export const SIGN_IN_WAIT_MINUTES_MAX = 15
export const WRONG_SIGN_INS_A_DAY = 50
export const RESET_TOKEN_MINUTES = 30
/** How long a password that staff set is good for. */
export const TEMPORARY_PASSWORD_HOURS = 72

export const SIGN_IN_PASSWORD_MIN = 6
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const EMAIL_MAX = 254
export const NAME_MAX = 80
export const PHONE_DIGITS = 10

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
