const KEY = 'guidon.reset-email'

/** For the screen that says where the link went, and no further. */
export function storeResetEmail(email: string): void {
  sessionStorage.setItem(KEY, email)
}

export function readResetEmail(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function clearResetEmail(): void {
  sessionStorage.removeItem(KEY)
}
