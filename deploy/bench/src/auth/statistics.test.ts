import { expect, test } from 'vitest'
import { medianOf, spread, table } from './statistics.ts'

test('the median is the middle one, or lies between the two', () => {
  expect(medianOf([9, 1, 2])).toBe(2)
  expect(medianOf([4, 1, 2, 9])).toBe(3)
})

test('a spread names lowest and highest', () => expect(spread([0.9, 1, 0.95])).toBe('0.95 (0.90–1.00)'))

test('columns line up', () => {
  expect(
    table([
      ['name', 'n'],
      ['a', '100'],
    ]),
  ).toBe('name    n\na     100')
})
