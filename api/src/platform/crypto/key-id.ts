import { createHash } from 'node:crypto'

/** Names a key without telling it; stored beside what was made with it. */
export const keyIdOf = (use: 'data-key' | 'pepper' | 'token-key', key: Uint8Array): string =>
  createHash('sha256').update(`guidon.${use}`).update(key).digest('hex').slice(0, 16)
