import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

/** Separates the uses of a key: hashes for different purposes never match. */
type TokenPurpose =
  | 'access'
  | 'refresh'
  | 'challenge'
  | 'code'
  | 'device'
  | 'limit'
  | 'reset'
  | 'source'
  | 'cursor'
  | 'hand-off'
  | 'phone'
  | 'notices'
  | 'return-path'

export interface Tokens {
  /** 256 random bits, safe in a cookie or a link. */
  make(): string
  /** The stored form of a token, made with the first key. */
  hash(purpose: TokenPurpose, token: string): Buffer
  /** The hashes with all keys, in the order of the keys. */
  hashes(purpose: TokenPurpose, token: string): Buffer[]
  /** A deterministic token for the subject, unguessable without the key. */
  derive(subject: string): string
  /** Deterministic digits for the subject, one string for each key. */
  digits(subject: string, count: number): string[]
}

/** The first key creates hashes; hashes of all keys are recognized. To rotate, add the new key in front. */
export function tokens(keys: readonly Buffer[]): Tokens {
  // Creating the key object once makes each hash five times as fast.
  const secrets = keys.map((key) => createSecretKey(key))
  const [first] = secrets
  if (!first) throw new Error('no key to hash with')
  const mac = (purpose: string, text: string, secret = first) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest()
  return {
    make: () => randomBytes(32).toString('base64url'),
    hash: (purpose, token) => mac(purpose, token),
    hashes: (purpose, token) => secrets.map((secret) => mac(purpose, token, secret)),
    derive: (subject) => mac('derived', subject).toString('base64url'),
    // The modulo bias of 64 bits for six digits is below one in 10^13.
    digits: (subject, count) =>
      secrets.map((secret) =>
        (mac('digits', subject, secret).readBigUInt64BE() % 10n ** BigInt(count))
          .toString()
          .padStart(count, '0'),
      ),
  }
}
