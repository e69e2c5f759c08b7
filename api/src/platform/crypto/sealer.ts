import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keyIdOf } from './key-id.ts'

/** Encryption at rest: AES-256-GCM with several active keys. */

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Sealed {
  keyId: string
  bytes: Buffer
}

export interface Sealer {
  /** Keys that only decrypt. */
  olderKeyIds: string[]
  /** `about` identifies the data and its owner; `open` needs the same value. */
  seal(content: Uint8Array, about: string): Sealed
  open(sealed: Sealed, about: string): Buffer
}

export class SealBroken extends Error {
  override name = 'SealBroken'
}

/** The first key encrypts, all keys decrypt. To change the key, add a new one in front. */
export function sealer(keys: readonly Uint8Array[]): Sealer {
  const [first] = keys
  if (!first) throw new Error('no key to encrypt with')
  const byId = new Map(keys.map((key) => [keyIdOf('data-key', key), key]))
  const firstId = keyIdOf('data-key', first)

  return {
    olderKeyIds: [...byId.keys()].filter((id) => id !== firstId),

    seal: (content, about) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(about))
      const body = [cipher.update(content), cipher.final()]
      return { keyId: firstId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), ...body]) }
    },

    open: ({ keyId, bytes }, about) => {
      const key = byId.get(keyId)
      if (!key) throw new SealBroken('encrypted with an unknown key')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('too short')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
          decipher.final(),
        ])
      } catch (cause) {
        throw new SealBroken('wrong data, owner or key', { cause })
      }
    },
  }
}
