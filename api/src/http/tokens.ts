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

export interface Tokens {
  /** 256 random bits, safe in a cookie or a link. */
  make(): string
  /** What of a token may be stored. */
  hash(purpose: TokenPurpose, token: string): Buffer
  /** The same token for the same subject, as unguessable as one of `make`. */
  derive(subject: string): string
  /** The same digits for the same subject, unguessable without the key. */
  digits(subject: string, count: number): string
}

export function tokens(key: Buffer): Tokens {
  // Made once: from the bare bytes each hash would take five times as long.
  const secret = createSecretKey(key)
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest()
  return {
    make: () => randomBytes(32).toString('base64url'),
    hash: mac,
    derive: (subject) => mac('derived', subject).toString('base64url'),
    // 64 bits against a million codes: the bias of the remainder is below one in 10^13.
    digits: (subject, count) =>
      (mac('digits', subject).readBigUInt64BE() % 10n ** BigInt(count))
        .toString()
        .padStart(count, '0'),
  }
}
