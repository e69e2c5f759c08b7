import { tooBusy } from '@guidon/contract/refusal'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../http/refuse.ts'
import { keyIdOf } from '../platform/crypto/key-id.ts'
import { fairSemaphore } from '../platform/fair-semaphore.ts'
import type { FairSemaphore, QueueMetrics } from '../platform/fair-semaphore.ts'

/** OWASP's minimum for argon2id. Each hash stores its own parameters, so raising these breaks no account. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const
const BUSY_RETRY_SECONDS = 30
/** The part of the queue that one key may fill. More than one entry, because a clinic's users share an address. */
const QUEUE_SHARE_PER_KEY = 0.25
const MIN_ADMITTED_PER_KEY = 4

/** Without a stored hash it takes the same time and returns false. */
type Verify = (password: string, stored: string | undefined) => Promise<boolean>

/** Returns a new hash to store if the stored one has no pepper id, or that of an older pepper. */
type Renew = (password: string, stored: string) => Promise<string | undefined>

export interface Passwords {
  /** The key is the client's address, or the account that is signed in. Keys take turns. */
  hash(password: string, key: string): Promise<string>
  /**
   * Reserves a slot in the queue, then runs `steps`, which may verify a password and renew its hash. Refuses before
   * they run, so that a request over the limit runs no SQL and does not count as a try.
   */
  withQueueSlot<T>(key: string, steps: (verify: Verify, renew: Renew) => Promise<T>): Promise<T>
  queueState: FairSemaphore['state']
}

export interface PasswordOptions {
  /** Newest first; new hashes use that one. A stored hash is verified with the pepper it was made with. */
  peppers: readonly Buffer[]
  concurrency: number
  queue: number
  /** `ADDRESS_LIMIT_FACTOR`: multiplies the part of the queue that one key may fill. */
  addressFactor?: number
  metrics?: QueueMetrics
}

/** `keyid` is a standard parameter of argon2's hash format. */
const PEPPER = /,keyid=([^,$]+)/
const pepperIdOf = (stored: string) => {
  const id = stored.match(PEPPER)?.[1]
  return id && Buffer.from(id, 'base64').toString('hex')
}
const withPepperId = (hashed: string, pepperId: string) => {
  const id = Buffer.from(pepperId, 'hex').toString('base64').replaceAll('=', '')
  return hashed.replace(/,p=\d+/, `$&,keyid=${id}`)
}

/** Bounds hashing: a flood of sign-ins is queued and then refused, and other requests are not delayed. */
export async function passwords({
  peppers,
  concurrency,
  queue,
  addressFactor = 1,
  metrics,
}: PasswordOptions): Promise<Passwords> {
  const [newest] = peppers
  const oldest = peppers.at(-1)
  if (!newest || !oldest) throw new Error('There is no pepper to hash with')
  const newestId = keyIdOf('pepper', newest)
  const byId = new Map(peppers.map((pepper) => [keyIdOf('pepper', pepper), pepper]))
  const hashing = fairSemaphore({ maxRunning: concurrency, ...(metrics && { metrics }) })
  const maxAdmittedPerKey = Math.max(
    MIN_ADMITTED_PER_KEY,
    concurrency + Math.ceil(queue * QUEUE_SHARE_PER_KEY * addressFactor),
  )
  const admittedPerKey = new Map<string, number>()
  let admitted = 0

  const admit = async <T>(key: string, steps: () => Promise<T>): Promise<T> => {
    const own = admittedPerKey.get(key) ?? 0
    if (own >= maxAdmittedPerKey || admitted >= concurrency + queue) {
      metrics?.refused()
      throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    admitted += 1
    admittedPerKey.set(key, own + 1)
    try {
      return await steps()
    } finally {
      admitted -= 1
      const left = (admittedPerKey.get(key) ?? 1) - 1
      if (left > 0) admittedPerKey.set(key, left)
      else admittedPerKey.delete(key)
    }
  }

  const hashInTurn = (password: string, key: string) =>
    hashing.run(key, async () =>
      withPepperId(await hash(password, { ...ARGON2, secret: newest }), newestId),
    )

  /** Undefined if the pepper was removed. Hashes without a pepper id were made with the oldest pepper. */
  const pepperOf = (stored: string) => {
    const id = pepperIdOf(stored)
    return id === undefined ? oldest : byId.get(id)
  }

  const placeholder = await hashInTurn('nobody has this password', 'start')
  // Always computes exactly one hash, so that the time does not reveal whether the account exists.
  const verifyAs =
    (key: string): Verify =>
    async (password, stored) => {
      const pepper = stored && pepperOf(stored)
      const [hashed, secret] = stored && pepper ? [stored, pepper] : [placeholder, newest]
      const isMatch = await hashing.run(key, () => verify(hashed, password, { ...ARGON2, secret }))
      return isMatch && Boolean(pepper)
    }
  const renewAs =
    (key: string): Renew =>
    async (password, stored) =>
      pepperIdOf(stored) === newestId ? undefined : hashInTurn(password, key)
  return {
    hash: (password, key) => admit(key, () => hashInTurn(password, key)),
    withQueueSlot: (key, steps) => admit(key, () => steps(verifyAs(key), renewAs(key))),
    queueState: hashing.state,
  }
}
