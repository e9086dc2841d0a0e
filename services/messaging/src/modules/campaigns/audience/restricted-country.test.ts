import { countryOf } from '@parley/phone'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRestricted } from './left-out-reason.ts'

test.each([
  ['+12125550123', true],
  ['+14155552671', true],
  // Canada, Jamaica and Puerto Rico share the calling code.
  ['+16135550123', false],
  ['+18765550123', false],
  ['+17875550123', false],
  ['+919876543210', false],
  ['US.13491208655302741918', true],
  ['US.ENT.13491208655302741918', true],
  ['CA.13491208655302741918', false],
])('marketing to %s: not delivered is %s', (to, expected) => expect(isRestricted(to)).toBe(expected))

test('a number is of the United States where the phone library says so', () => {
  // Area codes from 520 to 529 are of no area, but of persons.
  const area = fc.integer({ min: 200, max: 999 }).filter((code) => Math.floor(code / 10) !== 52)
  fc.assert(
    fc.property(area, fc.integer({ min: 2_000_000, max: 9_999_999 }), (code, rest) => {
      const phone = `+1${code}${rest}`
      const country = countryOf(phone)
      fc.pre(country !== undefined)
      expect(isRestricted(phone)).toBe(country === 'US')
    }),
    { numRuns: 3000 },
  )
})
