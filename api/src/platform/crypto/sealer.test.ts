import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyIdOf } from './key-id.ts'
import { SealBroken, sealer } from './sealer.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const ABOUT = 'intake of 0199'
const content = Buffer.from('{"race":"Asian"}')

describe('sealed data', () => {
  it('can be opened, and does not contain the content', () => {
    const currentSealer = sealer([current])
    const sealed = currentSealer.seal(content, ABOUT)
    expect(sealed.bytes.includes('Asian')).toBe(false)
    expect(currentSealer.open(sealed, ABOUT)).toEqual(content)
    expect(currentSealer.seal(content, ABOUT).bytes).not.toEqual(sealed.bytes)
  })

  it('is sealed with the first key and opened with any key', () => {
    const before = sealer([old]).seal(content, ABOUT)
    const both = sealer([current, old])
    expect(both.open(before, ABOUT)).toEqual(content)
    const after = both.seal(content, ABOUT)
    expect(after.keyId).toBe(keyIdOf('data-key', current))
    expect(sealer([current]).open(after, ABOUT)).toEqual(content)
  })

  it('cannot be opened without its key', () => {
    const before = sealer([old]).seal(content, ABOUT)
    expect(() => sealer([current]).open(before, ABOUT)).toThrow(SealBroken)
  })

  it('cannot be opened for another owner', () => {
    const currentSealer = sealer([current])
    expect(() => currentSealer.open(currentSealer.seal(content, ABOUT), 'intake of 0200')).toThrow(
      SealBroken,
    )
  })

  it('cannot be opened if a byte was changed or is missing', () => {
    const currentSealer = sealer([current])
    const { keyId, bytes } = currentSealer.seal(content, ABOUT)
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => currentSealer.open({ keyId, bytes: changed }, ABOUT)).toThrow(SealBroken)
      expect(() => currentSealer.open({ keyId, bytes: bytes.subarray(0, at) }, ABOUT)).toThrow(
        SealBroken,
      )
    }
  })

  it('cannot be opened with the id of another key', () => {
    const both = sealer([current, old])
    const { bytes } = both.seal(content, ABOUT)
    expect(() => both.open({ keyId: keyIdOf('data-key', old), bytes }, ABOUT)).toThrow(SealBroken)
  })
})

it('requires a key', () => {
  expect(() => sealer([])).toThrow('no key to encrypt with')
})
