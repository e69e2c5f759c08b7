/**
 * Who gets what from every call. Each body is valid and each target exists, so a refusal here is the
 * refusal of the person, never of the input.
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
] as const
export type Principal = (typeof PRINCIPALS)[number]

/** Those who hold no live session, whatever their cookies say. */
export const WITHOUT_SESSION = ['none', 'expired', 'challenge only', 'deactivated', 'forged'] as const

/** A status, and for a refusal its code. */
export type Outcome = `${number}` | `${number} ${string}`
export type Row = Readonly<Record<Principal, Outcome>>

const everyone = (cell: Outcome) =>
  Object.fromEntries(PRINCIPALS.map((principal) => [principal, cell])) as Row

/** Every live session, of any role. */
const holders = (cell: Outcome): Row => ({
  ...everyone('401 no_session'),
  owner: cell,
  'other USER': cell,
  STAFF: cell,
  ADMIN: cell,
})

/** Veterans only: about themselves, so there is no other veteran's to reach for. */
const veterans = (cell: Outcome): Row => ({
  ...holders(cell),
  STAFF: '403 wrong_role',
  ADMIN: '403 wrong_role',
})

const personnel = (cell: Outcome): Row => ({
  ...holders(cell),
  owner: '403 wrong_role',
  'other USER': '403 wrong_role',
})

/** The challenge is one of a sign-in: a sign-up's call does not take it. */
const challenged = (cell: Outcome): Row => ({
  ...everyone('400 no_challenge'),
  'challenge only': cell,
})

export const matrix: Readonly<Record<string, Row>> = {
  register: everyone('202'),
  verifyEmail: challenged('400 no_challenge'),
  login: { ...everyone('204'), deactivated: '400 account_deactivated' },
  verifyLogin: challenged('200'),
  resendVerificationCode: challenged('202'),
  forgotPassword: everyone('202'),
  resetPassword: { ...everyone('204'), deactivated: '400 reset_link_void' },
  changePassword: holders('204'),
  logout: everyone('204'),
  refresh: holders('204'),
  checkAuth: holders('200'),
  getUserInfo: veterans('200'),
  getAppointments: veterans('200'),
  getCaseManager: veterans('200'),
  getDocuments: veterans('200'),
  getDocumentsOf: personnel('200'),
  getDocumentCategories: veterans('200'),
  requestContact: veterans('202'),
  getIntake: veterans('200'),
  saveIntake: veterans('200'),
  uploadDocument: veterans('201'),
  replaceDocument: veterans('200'),
  listUsers: personnel('200'),
  updateUser: personnel('200'),
  deactivateUser: personnel('204'),
  resetUserPassword: personnel('204'),
  getActivity: holders('200'),
}

/** Calls without a row, and rows without a call. */
export function missingRows(calls: readonly string[], rows: readonly string[]): string[] {
  const missing = calls.filter((name) => !rows.includes(name))
  const left = rows.filter((name) => !calls.includes(name))
  return [...missing, ...left]
}
