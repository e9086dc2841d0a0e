import { expect, test } from 'vitest'
import { addressGroup } from './address-group.ts'

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
