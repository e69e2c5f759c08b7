import { verificationType, type VerificationType } from '@guidon/contract/auth'

/** What the code page needs from the previous screen; stored for this tab only. */
export interface PendingVerification {
  email: string
  /**
   * The previous screen (a key of `TYPE_OF_SCREEN`) or a verification type. Not validated here, because the page
   * shows a message for an unknown type.
   */
  type: string
}

/** The type of verification after each screen. */
const TYPE_OF_SCREEN: Readonly<Record<string, VerificationType>> = {
  signin: 'login',
  signup: 'email',
}

/** Throws the contract's message for an unknown type. */
export function verificationTypeOf({ type }: PendingVerification): VerificationType {
  const parsed = verificationType.safeParse(TYPE_OF_SCREEN[type] ?? type)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues[0]?.message)
}

const KEY = 'guidon.verification'
const RESEND_AT_KEY = 'guidon.resend-at'

export function storePending({ email, type }: PendingVerification): void {
  sessionStorage.setItem(KEY, JSON.stringify({ email, type }))
  sessionStorage.removeItem(RESEND_AT_KEY)
}

export function readPending(): PendingVerification | undefined {
  try {
    const { email, type } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<
      string,
      unknown
    >
    if (typeof email === 'string' && email !== '') return { email, type: String(type) }
  } catch {
    // Damaged or foreign data counts as none.
  }
  return undefined
}

export function clearPending(): void {
  sessionStorage.removeItem(KEY)
  sessionStorage.removeItem(RESEND_AT_KEY)
}

/** When the next code may be requested, as by `Date.now()`; stored so that a reload does not restart the wait. */
export function readResendAt(): number | undefined {
  const stored = Number(sessionStorage.getItem(RESEND_AT_KEY) ?? NaN)
  return Number.isFinite(stored) ? stored : undefined
}

export function storeResendAt(time: number): void {
  sessionStorage.setItem(RESEND_AT_KEY, String(time))
}
