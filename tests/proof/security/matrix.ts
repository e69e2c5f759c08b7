import type { NamedEndpoints } from '@guidon/contract/endpoints'

/**
 * The expected response of every endpoint for every kind of caller. Each body is valid and each target exists, so a
 * refusal is due to the caller and never to the input.
 */

export const PRINCIPALS = [
  'none',
  'expired',
  'challenge only',
  'owner',
  'other USER',
  'deactivated',
  'STAFF',
  'ADMIN',
  'forged',
  'phone',
] as const
export type Principal = (typeof PRINCIPALS)[number]

export const WITHOUT_SESSION = [
  'none',
  'expired',
  'challenge only',
  'deactivated',
  'forged',
  'phone',
] as const

/** The status, and for a refusal its code. */
export type Outcome = `${number}` | `${number} ${string}`
export type Row = Readonly<Record<Principal, Outcome>>

const everyone = (outcome: Outcome) =>
  Object.fromEntries(PRINCIPALS.map((principal) => [principal, outcome])) as Row

const anySession = (outcome: Outcome): Row => ({
  ...everyone('401 no_session'),
  owner: outcome,
  'other USER': outcome,
  STAFF: outcome,
  ADMIN: outcome,
})

/** Veterans only. Each caller uses data of their own account, so `other USER` succeeds as well. */
const veteransOnly = (outcome: Outcome): Row => ({
  ...anySession(outcome),
  STAFF: '403 wrong_role',
  ADMIN: '403 wrong_role',
})

const staffOnly = (outcome: Outcome): Row => ({
  ...anySession(outcome),
  owner: '403 wrong_role',
  'other USER': '403 wrong_role',
})

const adminsOnly = (outcome: Outcome): Row => ({ ...staffOnly(outcome), STAFF: '403 wrong_role' })

const challengeOnly = (outcome: Outcome): Row => ({
  ...everyone('400 no_challenge'),
  'challenge only': outcome,
})

/** A phone that an upload was handed to. Its cookie opens nothing else. */
const phoneOnly = (outcome: Outcome): Row => ({
  ...everyone('404 hand_off_gone'),
  phone: outcome,
})

export const matrix: Readonly<Record<string, Row>> = {
  register: everyone('202'),
  // The caller's challenge belongs to a sign-in, and this endpoint accepts only one of a sign-up.
  verifyEmail: challengeOnly('400 no_challenge'),
  login: { ...everyone('204'), deactivated: '400 account_deactivated' },
  verifyLogin: challengeOnly('200'),
  resendVerificationCode: challengeOnly('202'),
  forgotPassword: everyone('202'),
  resetPassword: { ...everyone('204'), deactivated: '400 reset_link_void' },
  changePassword: anySession('204'),
  logout: everyone('204'),
  refresh: anySession('204'),
  checkAuth: anySession('200'),
  getUserInfo: veteransOnly('200'),
  getAppointments: veteransOnly('200'),
  getCaseManager: veteransOnly('200'),
  getTodo: veteransOnly('200'),
  getClaims: veteransOnly('200'),
  getCaseActivity: veteransOnly('200'),
  getCaseVersion: veteransOnly('200'),
  getDocuments: veteransOnly('200'),
  getDocumentsOf: staffOnly('200'),
  getDocumentCategories: veteransOnly('200'),
  requestContact: veteransOnly('202'),
  getContactRequest: veteransOnly('200'),
  getConsents: veteransOnly('200'),
  acceptConsents: veteransOnly('204'),
  withdrawConsent: veteransOnly('204'),
  getIntake: veteransOnly('200'),
  saveIntake: veteransOnly('200'),
  uploadDocument: veteransOnly('201'),
  replaceDocument: veteransOnly('200'),
  getUnfinishedUploads: veteransOnly('200'),
  createUpload: veteransOnly('201'),
  // A response to HEAD has no body, and so no code.
  getUploadOffset: {
    ...everyone('401'),
    owner: '200',
    'other USER': '200',
    STAFF: '403',
    ADMIN: '403',
  },
  appendToUpload: veteransOnly('204'),
  deleteUpload: veteransOnly('204'),
  finishUpload: veteransOnly('201'),
  getContent: veteransOnly('200'),
  getContentOf: staffOnly('200'),
  createHandOff: veteransOnly('201'),
  getHandOff: veteransOnly('200'),
  endHandOff: veteransOnly('204'),
  // The hand-off was created in a session of the caller's account (an anonymous caller uses an account made for this).
  // It works only while that session is live and the account is active.
  openHandOff: {
    ...everyone('200'),
    expired: '404 hand_off_gone',
    deactivated: '404 hand_off_gone',
  },
  getSlot: phoneOnly('200'),
  reportPages: phoneOnly('200'),
  sendFromPhone: phoneOnly('204'),
  getNoticePreferences: veteransOnly('200'),
  setNoticePreference: veteransOnly('200'),
  // Their token is the authority: a session, or the lack of one, changes nothing.
  getNoticePreferencesByToken: everyone('200'),
  setNoticePreferenceByToken: everyone('200'),
  unsubscribe: everyone('204'),
  listUsers: staffOnly('200'),
  updateUser: staffOnly('200'),
  deactivateUser: staffOnly('204'),
  reactivateUser: adminsOnly('200'),
  getProgressOf: staffOnly('200'),
  getCrmRefusals: staffOnly('200'),
  getEmailReachable: staffOnly('200'),
  getDeliveriesOf: staffOnly('200'),
  resetUserPassword: staffOnly('204'),
  getActivity: anySession('200'),
  getFolder: staffOnly('200'),
  previewFolder: staffOnly('200'),
  listLinksToConfirm: staffOnly('200'),
  getLinkToConfirm: staffOnly('200'),
  decideLink: staffOnly('204'),
  previewContact: staffOnly('200'),
  reportNotMe: everyone('204'),
} satisfies Record<keyof NamedEndpoints, Row>

/** Returns the endpoints without a row and the rows without an endpoint. */
export function unmatchedNames(endpoints: readonly string[], rows: readonly string[]): string[] {
  const missing = endpoints.filter((name) => !rows.includes(name))
  const unknown = rows.filter((name) => !endpoints.includes(name))
  return [...missing, ...unknown]
}
