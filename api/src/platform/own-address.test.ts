import { expect, it } from 'vitest'
import { ownAddress } from './own-address.ts'

it.each([
  ['127.0.0.0/8', '127.0.0.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['198.51.100.0/24', undefined],
])('finds the own address for %s', (host, address) => {
  expect(ownAddress(host)).toBe(address)
})
