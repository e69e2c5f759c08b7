import { expect, it } from 'vitest'
import { addressKey } from './address-key.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
  ['2001:db8:1:1::1', '2001:db8:1:1::/64'],
  ['2001:0DB8:0001:0001:ffff:ffff:ffff:ffff', '2001:db8:1:1::/64'],
  ['[2001:db8:1:1::2]:443', '2001:db8:1:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:203.0.113.9', '1:2:3:4::/64'],
  ['1::', '1:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

it('counts neighbours of a /64 together, and the next /64 apart', () => {
  expect(addressKey('2001:db8:1:1::1')).toBe(addressKey('2001:db8:1:1:a:b:c:d'))
  expect(addressKey('2001:db8:1:1::1')).not.toBe(addressKey('2001:db8:1:2::1'))
})
