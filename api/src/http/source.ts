import type { Source } from '../platform/request-source.ts'
import type { Tokens } from '../platform/tokens.ts'
import { addressParts } from './address-key.ts'

/** The part of an IP address that may be stored. */
export const sources =
  (tokens: Pick<Tokens, 'hash'>) =>
  (ip: string): Source => {
    const { network, key } = addressParts(ip)
    return { network, address: tokens.hash('source', key) }
  }
