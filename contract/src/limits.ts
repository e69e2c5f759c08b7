/** The limits that the specification and the decisions define. */

export const REQUEST_TIMEOUT_SECONDS = 10
/** How long the browser waits for a session refresh that another call or tab has started. */
export const REFRESH_WAIT_SECONDS = 10

export const CODE_DIGITS = 6
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
/** Counted per account for sign-ins on unknown devices, and per email and IP address for sign-ups. */
export const WRONG_CODES_A_DAY = 20
export const RESEND_COOLDOWN_SECONDS = 60
export const RESENDS_AN_HOUR = 5
export const RESEND_BANNER_SECONDS = 5
/** Long enough for a late email and its resends, short enough for a forgotten tab. */
export const CHALLENGE_MINUTES = 30

/** Wrong passwords for one account from one IP address before the waits of 1, 2, 4 … minutes. */
export const SIGN_IN_TRIES = 5
export const SIGN_IN_WAIT_MINUTES_MAX = 15
/** For one account, over all unknown devices. */
export const WRONG_SIGN_INS_A_DAY = 50
/** For a day after a reset or an unlock, this limit replaces the one above. Its window is LIMIT_WINDOW_MINUTES. */
export const WRONG_SIGN_INS_AFTER_RESET = 10

/** Window of the limits below that state no other period. */
export const LIMIT_WINDOW_MINUTES = 15
/** From one IP address, which may be that of a large office. */
export const WRONG_SIGN_INS_FROM_ADDRESS = 100
export const SIGN_UPS_FROM_ADDRESS = 20
export const RESET_LINKS_FROM_ADDRESS = 20
export const RESENDS_FROM_ADDRESS = 60
/** Emails that anyone can trigger by entering an address at sign-up or Forgot password. */
export const MAILS_TO_EMAIL = 10
/** Lower than MAILS_TO_EMAIL, so that a single IP address cannot use up the limit of the email's owner. */
export const MAILS_TO_EMAIL_FROM_ADDRESS = 6
/** Sign-in codes of one account, sign-ins and resends together; a known device has its own limit. */
export const SIGN_IN_CODES = 6
/** How often a client can repeat a refresh whose response was lost. A repeat counts until its access token expires. */
export const REFRESHES_OF_ONE_TOKEN = 30
/** How often notices of one account can be turned on by the link in an email. */
export const NOTICES_ON_BY_LINK_AN_HOUR = 30
/** How often one account can turn notices on in Settings. */
export const NOTICES_ON_A_DAY = 50
/** How often one account can change its password. */
export const PASSWORD_CHANGES_A_DAY = 10
/** How often one account can ask for contact. Each reaches the provider's staff. */
export const CONTACT_REQUESTS_A_DAY = 5
/** How often one account can agree to texts that are optional. */
export const OPTIONAL_CONSENTS_A_DAY = 20

export const RESET_TOKEN_MINUTES = 30
export const TEMPORARY_PASSWORD_HOURS = 72

export const SIGN_IN_PASSWORD_MIN = 6
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
/** Not in `password.ts`, because the first screen needs only this. */
export const PASSWORD_TOO_LONG = `Password must be at most ${PASSWORD_MAX} characters long`
export const EMAIL_MAX = 254
/** The longest email that Salesforce holds. */
export const CRM_EMAIL_MAX = 80
export const NAME_MAX = 80
export const PHONE_DIGITS = 10
/** Longer than any id of ours, of the CRM or of the file store. */
export const ID_MAX = 64
export const BOX_ID_MAX = 20
export const SEARCH_MAX = 100
/** Why staff confirm or refuse a link. */
export const LINK_REASON_MIN = 3
export const LINK_REASON_MAX = 500
export const NOT_ME_TOKEN_MAX = 120
/** Before a decision that shows records to somebody, staff sign in again unless they did so this long ago. */
export const RECENT_SIGN_IN_MINUTES = 5
export const CURSOR_MAX = 1_000

export const ACCESS_TOKEN_MINUTES = 5
export const IDLE_MINUTES = { USER: 30, STAFF: 15, ADMIN: 15 } as const
/** How long before the idle limit a dialog offers to stay signed in. */
export const IDLE_WARNING_SECONDS = 120
export const SESSION_HOURS = { USER: 12, STAFF: 8, ADMIN: 8 } as const

/** How long a device stays known: the longest lifetime that browsers give a cookie. */
export const DEVICE_DAYS = 400

export const MASKED_EMAIL_VISIBLE_CHARACTERS = 3

/** Field lengths of the CRM. */
export const STREET_MAX = 255
export const CITY_MAX = 100
export const DOCUMENT_TYPE_MAX = 80
export const VA_DISABILITY_PAY_MAX = 999_999
export const DEPENDENTS_MAX = 10
export const DATE_OF_BIRTH_MIN = '1925-01-01'
/** How many earlier edits of an intake answer are still recognised when they arrive late. */
export const EDIT_HISTORY_MAX = 50
/** The browser counts failed saves of the intake up to here. */
export const SAVE_FAILURES_MAX = 1_000

/** Longest time for receiving a request; uploads have their own limits below. */
export const REQUEST_BODY_SECONDS = 15
/** 100 MB take 14 minutes at 1 Mbit/s. */
export const UPLOAD_MINUTES_MAX = 15
/** An upload slower than this over a whole window is aborted. */
export const UPLOAD_BYTES_A_SECOND_MIN = 8 * 1024
export const UPLOAD_RATE_WINDOW_SECONDS = 30
/** At full capacity, an upload or a view slower than this is aborted in favor of a new one. */
export const TRANSFER_BYTES_A_SECOND_MIN_AT_CAPACITY = 64 * 1024
/** Default quota of an account in 24 hours. */
export const UPLOADS_A_DAY = 200
export const UPLOAD_GIGABYTES_A_DAY = 2
/**
 * Tries for each file of the quota, because refused and removed files count as tries, too: 200 files allow 500 tries, and
 * 2 GB allow 5 GB of tries.
 */
export const UPLOAD_TRIES_A_FILE = 2.5
/** Default for the uploads of all accounts that have started and not ended. They are in the database. */
export const UNFINISHED_GIGABYTES = 20

/** The audit log counts blocked tries of one kind in one entry per window. */
export const BLOCKED_WINDOW_MINUTES = 15
/** Kinds of blocked tries that are counted separately; further ones are counted together. */
export const BLOCKED_KINDS_MAX = 1_000
