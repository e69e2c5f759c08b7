import type { Source } from '../platform/request-source.ts'
import type { Tokens } from '../platform/tokens.ts'
import { addressParts } from './address-key.ts'

/** Returns a function that converts an IP address to what may be stored: its network and a keyed hash. */
export const sources =
  (tokens: Pick<Tokens, 'hash'>) =>
  (ip: string): Source => {
    const { network, key } = addressParts(ip)
    return { network, address: tokens.hash('source', key) }
  }
