import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNumberLines } from './number-lines.ts'

test('a number has the line that was set last, as in a Map', () => {
  const number = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.maxSafeInteger().map((one) => Math.abs(one) || 1),
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, fc.integer({ min: 1, max: 2 ** 32 - 1 })), { maxLength: 3000 }),
      (entries) => {
        const lines = createNumberLines()
        for (const [one, line] of entries) lines.set(one, line)
        for (const [one, line] of new Map(entries)) expect(lines.get(one)).toBe(line)
        expect(lines.get(987_654_321_012)).toBe(new Map(entries).get(987_654_321_012))
      },
    ),
  )
})

test('a hundred thousand numbers in a row are all found after it has grown', () => {
  const lines = createNumberLines()
  for (let index = 0; index < 100_000; index += 1) lines.set(919_800_000_000 + index, index + 2)
  const missed = Array.from({ length: 100_000 }, (_, index) => index).filter(
    (index) => lines.get(919_800_000_000 + index) !== index + 2,
  )
  expect(missed).toEqual([])
  expect(lines.get(919_800_100_000)).toBe(undefined)
})
