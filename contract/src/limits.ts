/** The numbers of the specification and of its decisions, each with a name. */

export const REQUEST_TIMEOUT_SECONDS = 10
export const REFRESH_WAIT_SECONDS = 10

export const CODE_DIGITS = 6
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
export const RESEND_COOLDOWN_SECONDS = 60
export const RESENDS_AN_HOUR = 5
export const RESEND_BANNER_SECONDS = 5
/** Long enough for a late mail and its resends, short enough for a forgotten tab. */
export const CHALLENGE_MINUTES = 30

export const SIGN_IN_PASSWORD_MIN = 6
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const EMAIL_MAX = 254
export const PHONE_DIGITS = 10

export const ACCESS_TOKEN_MINUTES = 5
export const IDLE_MINUTES = { USER: 30, STAFF: 15, ADMIN: 15 } as const
export const SESSION_HOURS = { USER: 12, STAFF: 8, ADMIN: 8 } as const

export const MASKED_EMAIL_SHOWN = 3
