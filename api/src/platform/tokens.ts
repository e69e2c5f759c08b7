import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'

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
  | 'notMe'
  | 'return-path'

/** How the row of a token is found. */
export interface TokenSearch {
  /** Made with all keys, in the order of the keys. */
  hashes: Buffer[]
  /** The day of the row's id, in days since 1970. Undefined if the token names none: then there is no row. */
  day: number | undefined
}

export interface Tokens {
  /** 256 random bits, safe in a cookie or a link. */
  make(): string
  /** The same with its day in front, so that only rows of this day are searched. The row's id must be of this day. */
  makeDated(at: number): string
  searchFor(purpose: TokenPurpose, token: string): TokenSearch
  /** The stored form of a token, made with the first key. */
  hash(purpose: TokenPurpose, token: string): Buffer
  /** The hashes with all keys, in the order of the keys. */
  hashes(purpose: TokenPurpose, token: string): Buffer[]
  /** The text, which must not contain a dot, with a signature behind it. */
  sign(purpose: TokenPurpose, text: string): string
  /** The text that was signed. Undefined if we did not sign it for this purpose. */
  readSigned(purpose: TokenPurpose, signed: string): string | undefined
  /** A deterministic token for the subject, unguessable without the key. */
  derive(subject: string): string
  /** The same with the day of this token in front. */
  deriveDated(subject: string, dated: string): string
  /** Deterministic digits for the subject, one string for each key. */
  digits(subject: string, count: number): string[]
}

const DAY_MS = 86_400_000
/** A token lives less than a day; clocks differ. A statement is prepared for each day, so the days are limited. */
const DAYS_FROM_TODAY = 3

const dayAt = (at: number): number => Math.floor(at / DAY_MS)
const dayText = (at: number): string => dayAt(at).toString(36)
export const startOfDay = (day: number): number => day * DAY_MS

/** Undefined if the text names no day that a valid token can have. */
export function dayOf(token: string): number | undefined {
  const [, text] = /^([0-9a-z]{3,4})\./.exec(token) ?? []
  if (text === undefined) return undefined
  const day = Number.parseInt(text, 36)
  return Math.abs(day - dayAt(Date.now())) <= DAYS_FROM_TODAY ? day : undefined
}

/** The first key creates hashes; hashes of all keys are recognized. To rotate, add the new key in front. */
export function tokens(keys: readonly Buffer[]): Tokens {
  // Creating the key object once makes each hash five times as fast.
  const secrets = keys.map((key) => createSecretKey(key))
  const [first] = secrets
  if (!first) throw new Error('no key to hash with')
  const mac = (purpose: string, text: string, secret = first) =>
    createHmac('sha256', secret).update(`${purpose}\0${text}`).digest()
  const make = () => randomBytes(32).toString('base64url')
  const derive = (subject: string) => mac('derived', subject).toString('base64url')
  const hashes = (purpose: TokenPurpose, token: string) =>
    secrets.map((secret) => mac(purpose, token, secret))
  return {
    make,
    makeDated: (at) => `${dayText(at)}.${make()}`,
    hash: (purpose, token) => mac(purpose, token),
    hashes,
    searchFor: (purpose, token) => ({ hashes: hashes(purpose, token), day: dayOf(token) }),
    sign: (purpose, text) => `${text}.${mac(purpose, text).toString('base64url')}`,
    readSigned: (purpose, signed) => {
      const [text = '', signature = ''] = signed.split('.')
      const given = Buffer.from(signature, 'base64url')
      const isOurs = hashes(purpose, text).some(
        (hash) => hash.length === given.length && timingSafeEqual(hash, given),
      )
      return isOurs ? text : undefined
    },
    derive,
    deriveDated: (subject, dated) => `${dated.split('.', 1)[0]}.${derive(subject)}`,
    // The modulo bias of 64 bits for six digits is below one in 10^13.
    digits: (subject, count) =>
      secrets.map((secret) =>
        (mac('digits', subject, secret).readBigUInt64BE() % 10n ** BigInt(count))
          .toString()
          .padStart(count, '0'),
      ),
  }
}
