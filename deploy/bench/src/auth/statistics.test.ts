import { expect, test } from 'vitest'
import { spread, table } from './statistics.ts'

test('a spread names lowest and highest', () => expect(spread([0.9, 1, 0.95])).toBe('0.95 (0.90–1.00)'))

test('columns line up', () => {
  expect(
    table([
      ['name', 'n'],
      ['a', '100'],
    ]),
  ).toBe('name    n\na     100')
})
