import { expect, it } from 'vitest'
import { addressParts, sources } from './source.ts'
import { tokens } from './tokens.ts'

it.each([
  ['203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
  ['::ffff:203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
  ['::ffff:cb00:714d', '203.0.113.0/24', '203.0.113.77'],
  ['2001:db8:aa:bb:1:2:3:4', '2001:db8:aa::/48', '2001:db8:aa:bb::/64'],
  ['2001:0DB8:00aa:00bb::9', '2001:db8:aa::/48', '2001:db8:aa:bb::/64'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0::/48', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0::/48', '64:ff9b:0:0::/64'],
  ['not an address', null, 'not an address'],
  ['', null, ''],
])('of %s the network is %s, and it matches as %s', (ip, network, matched) => {
  expect(addressParts(ip)).toEqual({ network, matched })
})

it('stores neither the address nor a hash that anyone without the key could make', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) =>
    sources(tokens([key])),
  )
  const { address } = one!('203.0.113.77')
  expect(address).toEqual(one!('::ffff:203.0.113.77').address)
  expect(address).not.toEqual(one!('203.0.113.78').address)
  expect(address).not.toEqual(other!('203.0.113.77').address)
})

it('takes no more of a forged header than an address has room for', () => {
  expect(addressParts('x'.repeat(64_000)).matched).toHaveLength(45)
})
