import { tooBusy } from '@guidon/contract/refusal'
import { hash, verify } from '@node-rs/argon2'
import { keyIdOf } from '../../crypto/key-id.ts'
import { places } from '../../http/places.ts'
import type { LineWatch, Places } from '../../http/places.ts'
import { refuse } from '../../http/refuse.ts'

/** OWASP's argon2id floor, in KiB; a hash carries its own figures, so raising them later breaks no account. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const
const BUSY_RETRY_SECONDS = 30

/** Without a stored hash it takes just as long, and is never right. */
export type Verify = (password: string, stored: string | undefined) => Promise<boolean>

/** The hash to store from now on, where the stored one was made with an older pepper. */
export type Renew = (password: string, stored: string) => Promise<string | undefined>

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Takes a place in line before the steps that lead to a hash, or refuses: whoever is sent away for the
   * crowd has cost no statement, and no try of theirs was counted.
   */
  inLine<T>(steps: (verify: Verify, renew: Renew) => Promise<T>): Promise<T>
  line: Places['state']
}

export interface PasswordOptions {
  /** The first one makes hashes; each is verified with the one it was made with. */
  peppers: readonly Buffer[]
  concurrency: number
  queue: number
  watch?: LineWatch
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
  watch,
}: PasswordOptions): Promise<Passwords> {
  const [first] = peppers
  const oldest = peppers.at(-1)
  if (!first || !oldest) throw new Error('There is no pepper to hash with')
  const firstId = keyIdOf('pepper', first)
  const byId = new Map(peppers.map((pepper) => [keyIdOf('pepper', pepper), pepper]))
  const hashing = places(concurrency, watch)
  let inside = 0

  const admitted = async <T>(steps: () => Promise<T>): Promise<T> => {
    if (inside >= concurrency + queue) {
      watch?.refused()
      throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    inside += 1
    try {
      return await steps()
    } finally {
      inside -= 1
    }
  }

  const hashInTurn = (password: string) =>
    hashing.hold(async () => noted(await hash(password, { ...ARGON2, secret: first }), firstId))

  /** Undefined where it is gone. Before hashes told their pepper there was one, now the oldest. */
  const pepperOf = (stored: string) => {
    const id = pepperIdOf(stored)
    return id === undefined ? oldest : byId.get(id)
  }

  const nobody = await hashInTurn('nobody has this password')
  // One hash for everyone, whichever pepper it is and whether it is there: the time tells nothing.
  const verifyInTurn: Verify = async (password, stored) => {
    const pepper = stored && pepperOf(stored)
    const [text, secret] = stored && pepper ? [stored, pepper] : [nobody, first]
    const right = await hashing.hold(() => verify(text, password, { ...ARGON2, secret }))
    return right && Boolean(pepper)
  }
  const renew: Renew = async (password, stored) =>
    pepperIdOf(stored) === firstId ? undefined : hashInTurn(password)
  return {
    hash: (password) => admitted(() => hashInTurn(password)),
    inLine: (steps) => admitted(() => steps(verifyInTurn, renew)),
    line: hashing.state,
  }
}
