import { tooBusy } from '@guidon/contract/refusal'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../http/refuse.ts'
import { keyIdOf } from '../platform/crypto/key-id.ts'
import { fairSemaphore } from '../platform/fair-semaphore.ts'
import type { FairSemaphore, QueueMetrics } from '../platform/fair-semaphore.ts'

/** OWASP's argon2id floor, in KiB; a hash carries its own figures, so raising them later breaks no account. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const
const BUSY_RETRY_SECONDS = 30
/** Of the queue, what one key may fill: a clinic's people share an address, so it is not one. */
const SHARE_OF_ONE_KEY = 0.25
const LEAST_OF_ONE_KEY = 4

/** Without a stored hash it takes just as long, and is never right. */
export type Verify = (password: string, stored: string | undefined) => Promise<boolean>

/** The hash to store from now on, where the stored one was made with an older pepper. */
export type Renew = (password: string, stored: string) => Promise<string | undefined>

export interface Passwords {
  /** The key is who asks: an address, or an account that is signed in. Keys take turns. */
  hash(password: string, key: string): Promise<string>
  /**
   * Takes a place in line before the steps that lead to a hash, or refuses: whoever is sent away for the
   * crowd has cost no statement, and no try of theirs was counted.
   */
  inLine<T>(key: string, steps: (verify: Verify, renew: Renew) => Promise<T>): Promise<T>
  line: FairSemaphore['state']
}

export interface PasswordOptions {
  /** The first one makes hashes; each is verified with the one it was made with. */
  peppers: readonly Buffer[]
  concurrency: number
  queue: number
  /** Multiplies how much of the queue one address may fill. */
  addressFactor?: number
  watch?: QueueMetrics
}

/** The place that argon2's own notation has for it, so that whoever reads the notation reads it too. */
const PEPPER = /,keyid=([^,$]+)/
const pepperIdOf = (stored: string) => {
  const id = stored.match(PEPPER)?.[1]
  return id && Buffer.from(id, 'base64').toString('hex')
}
const noted = (hashed: string, pepperId: string) => {
  const id = Buffer.from(pepperId, 'hex').toString('base64').replaceAll('=', '')
  return hashed.replace(/,p=\d+/, `$&,keyid=${id}`)
}

/** Hashing is bounded: a flood of sign-ins waits here, and then is refused, while other requests go on. */
export async function passwords({
  peppers,
  concurrency,
  queue,
  addressFactor = 1,
  watch,
}: PasswordOptions): Promise<Passwords> {
  const [first] = peppers
  const oldest = peppers.at(-1)
  if (!first || !oldest) throw new Error('There is no pepper to hash with')
  const firstId = keyIdOf('pepper', first)
  const byId = new Map(peppers.map((pepper) => [keyIdOf('pepper', pepper), pepper]))
  const hashing = fairSemaphore({ atOnce: concurrency, ...(watch && { metrics: watch }) })
  const perKey = Math.max(
    LEAST_OF_ONE_KEY,
    concurrency + Math.ceil(queue * SHARE_OF_ONE_KEY * addressFactor),
  )
  const admittedOf = new Map<string, number>()
  let admitted = 0

  /** Refuses before any work is done, and one key long before it fills the queue for the others. */
  const admit = async <T>(key: string, steps: () => Promise<T>): Promise<T> => {
    const own = admittedOf.get(key) ?? 0
    if (own >= perKey || admitted >= concurrency + queue) {
      watch?.refused()
      throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    admitted += 1
    admittedOf.set(key, own + 1)
    try {
      return await steps()
    } finally {
      admitted -= 1
      const left = (admittedOf.get(key) ?? 1) - 1
      if (left > 0) admittedOf.set(key, left)
      else admittedOf.delete(key)
    }
  }

  const hashInTurn = (password: string, key: string) =>
    hashing.run(key, async () => noted(await hash(password, { ...ARGON2, secret: first }), firstId))

  /** Undefined where it is gone. Before hashes told their pepper there was one, now the oldest. */
  const pepperOf = (stored: string) => {
    const id = pepperIdOf(stored)
    return id === undefined ? oldest : byId.get(id)
  }

  const nobody = await hashInTurn('nobody has this password', 'start')
  // One hash for everyone, whichever pepper it is and whether it is there: the time tells nothing.
  const verifyAs =
    (key: string): Verify =>
    async (password, stored) => {
      const pepper = stored && pepperOf(stored)
      const [text, secret] = stored && pepper ? [stored, pepper] : [nobody, first]
      const right = await hashing.run(key, () => verify(text, password, { ...ARGON2, secret }))
      return right && Boolean(pepper)
    }
  const renewAs =
    (key: string): Renew =>
    async (password, stored) =>
      pepperIdOf(stored) === firstId ? undefined : hashInTurn(password, key)
  return {
    hash: (password, key) => admit(key, () => hashInTurn(password, key)),
    inLine: (key, steps) => admit(key, () => steps(verifyAs(key), renewAs(key))),
    line: hashing.state,
  }
}
