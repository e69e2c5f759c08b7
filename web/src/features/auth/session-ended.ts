/** Goes along to /signin, so that a person who is sent there mid-work reads why. */
export const SESSION_ENDED = { sessionEnded: true } as const

export function saysSessionEnded(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'sessionEnded' in state
}
