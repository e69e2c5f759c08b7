import { tooBusy } from '@guidon/contract/refusal'
import { hash, verify } from '@node-rs/argon2'
import { places } from '../../http/places.ts'
import type { LineWatch, Places } from '../../http/places.ts'
import { refuse } from '../../http/refuse.ts'

/** OWASP's argon2id floor, in KiB; a hash carries its own figures, so raising them later breaks no account. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const
const BUSY_RETRY_SECONDS = 30

/** Without a stored hash it takes just as long, and is never right. */
export type Verify = (password: string, stored: string | undefined) => Promise<boolean>

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Takes a place in line before the steps that lead to a hash, or refuses: whoever is sent away for the
   * crowd has cost no statement, and no try of theirs was counted.
   */
  inLine<T>(steps: (verify: Verify) => Promise<T>): Promise<T>
  line: Places['state']
}

export interface PasswordOptions {
  pepper: Buffer
  concurrency: number
  queue: number
  watch?: LineWatch
}

/** Hashing is bounded: a flood of sign-ins waits here, and then is refused, while other requests go on. */
export async function passwords({
  pepper,
  concurrency,
  queue,
  watch,
}: PasswordOptions): Promise<Passwords> {
  const options = { ...ARGON2, secret: pepper }
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

  const nobody = await hash('nobody has this password', options)
  const verifyInTurn: Verify = async (password, stored) => {
    const right = await hashing.hold(() => verify(stored ?? nobody, password, options))
    return right && stored !== undefined
  }
  return {
    hash: (password) => admitted(() => hashing.hold(() => hash(password, options))),
    inLine: (steps) => admitted(() => steps(verifyInTurn)),
    line: hashing.state,
  }
}
