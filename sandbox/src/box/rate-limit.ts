import { tooManyRequests } from './errors.ts'

const MINUTE_MS = 60_000

/** A sliding window of one minute for each user; refused calls do not count. */
export class RateLimit {
  readonly #allowed: number
  readonly #now: () => number
  readonly #times = new Map<string, number[]>()

  constructor(allowed: number, now: () => number) {
    this.#allowed = allowed
    this.#now = now
  }

  /** Throws when the limit is reached, with the seconds until the next call is allowed. */
  take(user: string): void {
    const now = this.#now()
    const recent = (this.#times.get(user) ?? []).filter((time) => time > now - MINUTE_MS)
    this.#times.set(user, recent)
    const oldest = recent[recent.length - this.#allowed]
    if (recent.length >= this.#allowed) {
      throw tooManyRequests(Math.ceil(((oldest ?? now) + MINUTE_MS - now) / 1000))
    }
    recent.push(now)
  }

  clear(): void {
    this.#times.clear()
  }
}
