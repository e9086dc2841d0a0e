import { expect, test } from 'vitest'
import { callingCodes, countryOf, parsePhone, writtenPhone } from './phone.ts'

test.each([
  ['+919876543210', undefined, '+919876543210', 'IN'],
  ['098765 43210', 'IN', '+919876543210', 'IN'],
  ['+91 98765-43210', undefined, '+919876543210', 'IN'],
  ['+1 (613) 555-0123', undefined, '+16135550123', 'CA'],
  ['+1 212 555 0123', undefined, '+12125550123', 'US'],
] as const)('%s is stored as E.164 and keeps its country', (input, country, e164, expected) => {
  expect(parsePhone(input, country)).toMatchObject({ e164, country: expected })
})

test.each(['', '12', '+91 123', 'call me', '+999999999999', '+919876543210 ext. 5', '<script>', '9876543210'])(
  '%j is not a phone number',
  (input) => expect(parsePhone(input)).toBeUndefined(),
)

test('every country that can be chosen has a calling code', () => {
  expect(callingCodes()).toContainEqual({ country: 'IN', callingCode: '+91' })
})

test.each([
  ['+919876543210', 'IN'],
  ['+16135550123', 'CA'],
  // Missing the ninth digit, and with the digit that is no longer dialled.
  ['+551187654321', 'BR'],
  ['+5215512345678', 'MX'],
  ['+22997123456', 'BJ'],
  ['+22507123456', 'CI'],
  ['+910000000000', undefined],
  ['IN.1234', undefined],
])('%s is a number of %s', (e164, country) => expect(countryOf(e164)).toBe(country))

test('a stored number is grouped as in its country, also one that cannot exist', () => {
  expect(['+919876543210', '+15551949204', '+442071234567'].map(writtenPhone)).toEqual([
    '+91 98765 43210',
    '+1 555 194 9204',
    '+44 20 7123 4567',
  ])
  expect(['', 'nobody', '4915112345678'].map(writtenPhone)).toEqual(['', 'nobody', '4915112345678'])
})
