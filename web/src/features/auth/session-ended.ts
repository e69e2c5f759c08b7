/** Navigation state that makes /signin say that the session has ended. */
export const SESSION_ENDED = { sessionEnded: true } as const

export function isSessionEnded(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'sessionEnded' in state
}
