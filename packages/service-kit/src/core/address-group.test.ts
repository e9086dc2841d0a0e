import { expect, test } from 'vitest'
import { addressGroup, isInNetworks } from './address-group.ts'

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:0DB8:0001:0002:0:0:0:9', '2001:db8:1:2::1'],
  ['fe80::1%eth0', 'fe80::2%eth1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('%s and %s are one visitor', (one, other) => {
  expect(addressGroup(one)).toBe(addressGroup(other))
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['203.0.113.7', '203.0.113.8'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.8'],
  ['::1', '::ffff:0.0.0.1'],
])('%s and %s are two', (one, other) => {
  expect(addressGroup(one)).not.toBe(addressGroup(other))
})

test.each(['', 'unknown', '999.1.1.1'])('%j is counted as it is', (text) => {
  expect(addressGroup(text)).toBe(text)
})

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['198.51.100.4', '203.0.113.7'], true],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32', '203.0.113.0/24'], false],
  ['203.0.113.7', ['2001:db8::/32'], false],
  ['nonsense', ['0.0.0.0/0'], false],
  ['203.0.113.7', [], false],
])('%s is in %j: %s', (ip, networks, is) => {
  expect(isInNetworks(ip, networks)).toBe(is)
})
