import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

/** Separates the uses of one key: a hash made for one purpose never matches in another. */
export type TokenPurpose =
  | 'access'
  | 'refresh'
  | 'challenge'
  | 'code'
  | 'device'
  | 'limit'
  | 'reset'
  | 'source'
  | 'cursor'

export interface Tokens {
  /** 256 random bits, safe in a cookie or a link. */
  make(): string
  /** What of a token may be stored. */
  hash(purpose: TokenPurpose, token: string): Buffer
  /** What may be stored of it: with the first key, as `hash` has it, and with each older one. */
  hashes(purpose: TokenPurpose, token: string): Buffer[]
  /** The same token for the same subject, as unguessable as one of `make`. */
  derive(subject: string): string
  /** The same digits for the same subject, unguessable without the key; of each key its own. */
  digits(subject: string, count: number): string[]
}

/** The first key makes, all of them find: so a new one is put in front, and the old one stays while it is in use. */
export function tokens(keys: readonly Buffer[]): Tokens {
  // Made once: from the bare bytes each hash would take five times as long.
  const secrets = keys.map((key) => createSecretKey(key))
  const [first] = secrets
  if (!first) throw new Error('There is no key to hash with')
  const mac = (purpose: string, text: string, secret = first) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest()
  return {
    make: () => randomBytes(32).toString('base64url'),
    hash: (purpose, token) => mac(purpose, token),
    hashes: (purpose, token) => secrets.map((secret) => mac(purpose, token, secret)),
    derive: (subject) => mac('derived', subject).toString('base64url'),
    // 64 bits against a million codes: the bias of the remainder is below one in 10^13.
    digits: (subject, count) =>
      secrets.map((secret) =>
        (mac('digits', subject, secret).readBigUInt64BE() % 10n ** BigInt(count))
          .toString()
          .padStart(count, '0'),
      ),
  }
}
