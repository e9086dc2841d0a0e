import { expect, test } from 'vitest'
import { medianOf, percentile, spread, table } from './report.ts'

test('the median is the middle one, or lies between the two', () => {
  expect(medianOf([9, 1, 2])).toBe(2)
  expect(medianOf([4, 1, 2, 9])).toBe(3)
})

test('a percentile is a value that was measured', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile([4], 0.95)]).toEqual([50, 95, 4])
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
