import type { SignUp } from '@guidon/contract/sign-up'

/** What was typed at sign-up, without the password. Kept in this tab until the email is verified. */
export type SignUpDraft = Record<(typeof FIELDS)[number], string>

const KEY = 'guidon.sign-up'
const FIELDS = ['firstName', 'lastName', 'state', 'phone', 'email'] as const

export function storeSignUpDraft(person: SignUp): void {
  const kept = Object.fromEntries(FIELDS.map((name) => [name, person[name]]))
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}

export function readSignUpDraft(): SignUpDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '') as Record<string, unknown>
    return Object.fromEntries(FIELDS.map((name) => [name, String(stored[name])])) as SignUpDraft
  } catch {
    // Damaged or foreign data counts as none.
    return undefined
  }
}

export function clearSignUpDraft(): void {
  sessionStorage.removeItem(KEY)
}
