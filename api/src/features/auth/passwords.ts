import { tooBusy } from '@guidon/contract/refusal'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../../http/refuse.ts'

/** OWASP's argon2id floor, in KiB; a hash carries its own figures, so raising them later breaks no account. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const
const BUSY_RETRY_SECONDS = 30

export interface Passwords {
  hash(password: string): Promise<string>
  /** Without a stored hash it takes just as long, and is never right. */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

export interface PasswordOptions {
  pepper: Buffer
  concurrency: number
  queue: number
}

/** Hashing is bounded: a flood of sign-ins waits here, and then is refused, while other requests go on. */
export async function passwords({
  pepper,
  concurrency,
  queue,
}: PasswordOptions): Promise<Passwords> {
  const options = { ...ARGON2, secret: pepper }
  const waiting: (() => void)[] = []
  let running = 0

  const bounded = async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw refuse(tooBusy, { retryAfterSeconds: BUSY_RETRY_SECONDS })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await task()
    } finally {
      // The place goes to the next in line; only without one is it given up.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  const nobody = await hash('nobody has this password', options)
  return {
    hash: (password) => bounded(() => hash(password, options)),
    verify: async (password, stored) => {
      const right = await bounded(() => verify(stored ?? nobody, password, options))
      return right && stored !== undefined
    },
  }
}
