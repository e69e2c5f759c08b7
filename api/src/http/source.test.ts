import { expect, it } from 'vitest'
import { tokens } from '../platform/tokens.ts'
import { sources } from './source.ts'

it('stores neither the address nor a hash that can be computed without the key', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) =>
    sources(tokens([key])),
  )
  const { address } = one!('203.0.113.77')
  expect(address).toEqual(one!('::ffff:203.0.113.77').address)
  expect(address).not.toEqual(one!('203.0.113.78').address)
  expect(address).not.toEqual(other!('203.0.113.77').address)
})
