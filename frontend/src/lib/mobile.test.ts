import { expect, test } from 'vitest'
import { countryOptions, joinMobile, matchesCountry, readInternational, splitMobile } from './mobile.ts'

test.each([
  ['+919876543210', 'IN', '9876543210'],
  ['+12125550123', 'US', '2125550123'],
  ['+16135550123', 'CA', '6135550123'],
  ['+79161234567', 'RU', '9161234567'],
  ['+77012345678', 'KZ', '7012345678'],
  ['+4791234567', 'NO', '91234567'],
] as const)('%s shows the country %s and the number %s', (stored, country, number) => {
  expect(splitMobile(stored)).toEqual({ country, number })
  expect(joinMobile({ country, number })).toBe(stored)
})

test('an empty record starts at +91', () => expect(splitMobile('')).toEqual({ country: 'IN', number: '' }))

test('a number that cannot be read still splits into its code and the remainder', () => {
  expect(splitMobile('+91 12')).toEqual({ country: 'IN', number: '12' })
  expect(splitMobile('+3531')).toEqual({ country: 'IE', number: '1' })
  expect(splitMobile('call me')).toEqual({ country: 'IN', number: 'call me' })
})

test('a code of no country stays in the text box, and joins to the same number again', () => {
  const mobile = splitMobile('+80012345678')
  expect(mobile).toEqual({ country: 'IN', number: '+80012345678' })
  expect(joinMobile(mobile)).toBe('+80012345678')
})

test.each([
  ['098765 43210', '+919876543210'],
  ['+1 (212) 555-0123', '+12125550123'],
  ['12', undefined],
  ['', undefined],
])('%j under India joins to %s', (number, e164) => expect(joinMobile({ country: 'IN', number })).toBe(e164))

test('a pasted international number moves its code into the select', () => {
  expect(readInternational('+44 20 7946 0958')).toEqual({ country: 'GB', number: '2079460958' })
  expect(readInternational('0091 98765 43210')).toEqual({ country: 'IN', number: '9876543210' })
  const india = { country: 'IN', number: '9876543210' }
  for (const pasted of [
    '＋919876543210',
    '\u202a+91 98765 43210\u202c',
    'tel:+919876543210',
    'https://wa.me/919876543210',
  ])
    expect(readInternational(pasted)).toEqual(india)
  expect(readInternational('9876543210')).toBeUndefined()
  expect(readInternational('+44')).toBeUndefined()
})

test('countries are sorted by name and found by name, ISO code and calling code', () => {
  const options = countryOptions('en')
  const found = (search: string) => options.filter((option) => matchesCountry(search, option)).map(({ value }) => value)
  expect(options.map(({ name }) => name)).toEqual(
    options.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')),
  )
  expect(options.find(({ value }) => value === 'IN')).toEqual({ value: 'IN', name: 'India', callingCode: '+91' })
  expect(found('germ')).toEqual(['DE'])
  expect(found('+91')).toEqual(['IN'])
  expect(found('91')).toEqual(['IN'])
  expect(found('gb')).toContain('GB')
})
