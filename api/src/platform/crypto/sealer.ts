import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keyIdOf } from './key-id.ts'

/** Encryption at rest: AES-256-GCM under one of a few keys that are live at the same time. */

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Sealed {
  /** Names the key without telling it; stored beside the bytes. */
  keyId: string
  bytes: Buffer
}

export interface Sealer {
  /** Of the keys that only open. */
  olderKeyIds: string[]
  /** `about` says what this is and whose; the bytes open only where the same is said of them. */
  seal(content: Uint8Array, about: string): Sealed
  open(sealed: Sealed, about: string): Buffer
}

export class SealBroken extends Error {
  override name = 'SealBroken'
}

/** The first key seals, all of them open: so a new one is put in front, and the old one stays while it is in use. */
export function sealer(keys: readonly Uint8Array[]): Sealer {
  const [first] = keys
  if (!first) throw new Error('There is no key to seal with')
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
      if (!key) throw new SealBroken('sealed with a key that is not here')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('too short to be sealed')
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
        throw new SealBroken('the seal does not fit', { cause })
      }
    },
  }
}
