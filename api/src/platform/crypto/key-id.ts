import { createHash } from 'node:crypto'

/** Identifies a key without revealing it. */
export const keyIdOf = (use: 'data-key' | 'pepper' | 'token-key', key: Uint8Array): string =>
  createHash('sha256').update(`guidon.${use}`).update(key).digest('hex').slice(0, 16)
