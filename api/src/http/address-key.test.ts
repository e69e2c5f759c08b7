import { expect, it } from 'vitest'
import { addressKey, addressParts } from './address-key.ts'

it.each([
  ['203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
  ['203.0.113.77:51234', '203.0.113.0/24', '203.0.113.77'],
  ['::ffff:203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
  ['::ffff:cb00:714d', '203.0.113.0/24', '203.0.113.77'],
  ['2001:db8:aa:bb:1:2:3:4', '2001:db8:aa::/48', '2001:db8:aa:bb::/64'],
  ['2001:0DB8:00aa:00bb::9', '2001:db8:aa::/48', '2001:db8:aa:bb::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1::/48', '2001:db8:1:0::/64'],
  ['[2001:db8::1]:443', '2001:db8:0::/48', '2001:db8:0:0::/64'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0::/48', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0::/48', '0:0:0:0::/64'],
  ['::', '0:0:0::/48', '0:0:0:0::/64'],
  ['[::ffff:203.0.113.9]:4711', '203.0.113.0/24', '203.0.113.9'],
  ['1:2:3:4:5:6:203.0.113.9', '1:2:3::/48', '1:2:3:4::/64'],
  ['1::', '1:0:0::/48', '1:0:0:0::/64'],
  ['not an address', null, 'not an address'],
  ['', null, ''],
  [undefined, null, ''],
])('%s belongs to the network %s and counts as %s', (ip, network, key) => {
  expect(addressParts(ip)).toEqual({ network, key })
})

it('ignores the rest of an overlong address', () => {
  expect(addressKey('x'.repeat(64_000))).toHaveLength(64)
})

it('counts the addresses of a /64 as one, and the next /64 separately', () => {
  expect(addressKey('2001:db8:1:1::1')).toBe(addressKey('2001:db8:1:1:a:b:c:d'))
  expect(addressKey('2001:db8:1:1::1')).not.toBe(addressKey('2001:db8:1:2::1'))
})
