const KEY = 'guidon.reset-email'

/** Stores the email for the next screen, which says where the link was sent. */
export function storeResetEmail(email: string): void {
  sessionStorage.setItem(KEY, email)
}

export function readResetEmail(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function clearResetEmail(): void {
  sessionStorage.removeItem(KEY)
}
