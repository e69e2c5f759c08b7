import { timingSafeEqual } from 'node:crypto'
import type { Tokens } from '../platform/tokens.ts'

/** Too long to guess, and short enough for the limit of 64 characters before the @. */
const SIGNATURE_BYTES = 10

const SIGNED_ID = /^\+([0-9a-f]{32})-([0-9a-f]{20})$/

export interface ReturnPaths {
  /** Where reports about the email with this id are sent. */
  of(id: string): string
  /** The id of the email that a report to this address is about. Undefined if we did not make the address. */
  idIn(address: string): string | undefined
}

/**
 * Addresses such as `bounces+<id>-<signature>@example.org`, in lower case, because mail servers may change upper case.
 * Only the recipient of an email knows its return path, so nobody else can report it as undeliverable.
 */
export function returnPaths(tokens: Tokens, mailbox: string): ReturnPaths {
  const [local = '', domain = ''] = mailbox.toLowerCase().split('@')
  const short = (hash: Buffer) => hash.subarray(0, SIGNATURE_BYTES)
  return {
    of: (id) => {
      const signature = short(tokens.hash('return-path', id)).toString('hex')
      return `${local}+${id.replaceAll('-', '')}-${signature}@${domain}`
    },
    idIn: (address) => {
      const [name = '', host] = address.toLowerCase().split('@')
      const [, digits, signature] = SIGNED_ID.exec(name.slice(local.length)) ?? []
      if (!name.startsWith(local) || host !== domain || !digits || !signature) return undefined
      const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      const given = Buffer.from(signature, 'hex')
      const isOurs = tokens
        .hashes('return-path', id)
        .some((hash) => timingSafeEqual(short(hash), given))
      return isOurs ? id : undefined
    },
  }
}
