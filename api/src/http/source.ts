import type { Source } from '../db/request-source.ts'
import { addressParts } from './address-key.ts'
import type { Tokens } from './tokens.ts'

/** What of a caller's address may be stored. */
export const sources =
  (tokens: Pick<Tokens, 'hash'>) =>
  (ip: string): Source => {
    const { network, key } = addressParts(ip)
    return { network, address: tokens.hash('source', key) }
  }
