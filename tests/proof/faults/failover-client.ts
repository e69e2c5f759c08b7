import { setTimeout as delay } from 'node:timers/promises'
import { refresh } from '@guidon/contract/auth'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { TestClient } from '../../support/test-client.ts'
import type { Reply } from '../../support/test-client.ts'

const RETRY_MS = 200
/** The response is lost: the balancer or the network gave up. */
const LOST: ReadonlySet<number> = new Set([0, 502, 504])
const UNAVAILABLE = 503

/** What all clients of a proof experienced. */
export class Tally {
  /** When each acknowledged write was sent, and when its response came. */
  readonly writes: { sentAt: number; acknowledgedAt: number }[] = []
  /** How often each error occurred that no repetition can fix, by its text. */
  readonly failures: Record<string, number> = {}
  refused = 0
  lostResponses = 0
  signedOut = 0
  /** Of all responses. */
  slowestMs = 0

  fail(error: unknown): void {
    this.failures[String(error)] = (this.failures[String(error)] ?? 0) + 1
  }

  /** The longest time without an acknowledged write since then, in seconds. */
  longestGap(since: number): number {
    const times = this.writes.map(({ acknowledgedAt }) => acknowledgedAt).toSorted((a, b) => a - b)
    const first = times.findLastIndex((time) => time <= since)
    const counted = [...times.slice(Math.max(first, 0)), performance.now()]
    const gaps = counted.slice(1).map((time, index) => time - counted[index]!)
    return Math.max(0, ...gaps) / 1000
  }

  /** Settles when `count` writes that were sent after this call are acknowledged. */
  async untilNewWrites(count: number, timeoutMs = 120_000): Promise<void> {
    const since = performance.now()
    const signal = AbortSignal.timeout(timeoutMs)
    while (this.writes.filter(({ sentAt }) => sentAt >= since).length < count) {
      if (signal.aborted) throw new Error(`no ${count} writes in ${timeoutMs / 1000} s`)
      await delay(RETRY_MS / 2)
    }
  }
}

/**
 * A client that repeats a request that got 503 or no response, as the web app or its user does, and renews its session.
 * `repeated` in the result of `write` says whether an earlier try may have taken effect.
 */
export class RepeatingClient extends TestClient {
  readonly #tally: Tally

  constructor(base: string, origin: string, tally: Tally) {
    super(base, origin)
    this.#tally = tally
  }

  async read<Body>(call: () => Promise<Reply<Body>>): Promise<Reply<Body>> {
    return (await this.#untilAnswered([200], call)).reply
  }

  /** Records when the write was acknowledged; `statuses` are those that acknowledge it. */
  async write<Body>(statuses: readonly number[], call: () => Promise<Reply<Body>>) {
    const answered = await this.#untilAnswered(statuses, call)
    const { sentAt } = answered
    this.#tally.writes.push({ sentAt, acknowledgedAt: performance.now() })
    return answered
  }

  async #untilAnswered<Body>(statuses: readonly number[], call: () => Promise<Reply<Body>>) {
    let repeated = false
    for (;;) {
      const sentAt = performance.now()
      const reply = await this.#once(call)
      this.#tally.slowestMs = Math.max(this.#tally.slowestMs, performance.now() - sentAt)
      const status = reply?.status ?? 0
      if (reply && statuses.includes(status)) return { reply, sentAt, repeated }
      if (status === 401) await this.#renewSession()
      else if (status === UNAVAILABLE) this.#tally.refused += 1
      else if (LOST.has(status)) this.#tally.lostResponses += 1
      else
        throw new Error(`${status}, not ${statuses.join(' or ')}: ${JSON.stringify(reply?.body)}`)
      // A refused request may have been committed, too: the connection can break during the commit.
      repeated = true
      await delay(RETRY_MS)
    }
  }

  /** Undefined without a response. The browser gives up after the same time. */
  async #once<Body>(call: () => Promise<Reply<Body>>): Promise<Reply<Body> | undefined> {
    const timeout = new AbortController()
    const late = delay(REQUEST_TIMEOUT_SECONDS * 1000, undefined, { signal: timeout.signal })
    try {
      return await Promise.race([call(), late.catch(() => undefined)])
    } catch {
      return undefined
    } finally {
      timeout.abort()
    }
  }

  async #renewSession(): Promise<void> {
    const reply = await this.#once(() => this.call(refresh, {}))
    if (reply?.status === 401) {
      this.#tally.signedOut += 1
      throw new Error('signed out')
    }
  }
}
