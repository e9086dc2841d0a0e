import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nobodySeen } from './seen-people.ts'

const phones = fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999_999_999 }), { maxLength: 500 })

test('each number has the line that it was added with, and no other one is there', () => {
  fc.assert(
    fc.property(phones, phones, (added, others) => {
      const seen = nobodySeen().phones
      for (const [line, phone] of added.entries()) seen.add(phone, line + 1)
      for (const [line, phone] of added.entries()) expect(seen.get(phone)).toBe(line + 1)
      for (const phone of others)
        expect(seen.get(phone)).toBe(added.includes(phone) ? added.indexOf(phone) + 1 : undefined)
    }),
  )
})

test('numbers that follow one another stay apart as the table grows', () => {
  const seen = nobodySeen().phones
  const [first, count] = [919_800_000_000, 100_000]
  for (let index = 0; index < count; index += 1) seen.add(first + index, index + 2)
  const wrong = Array.from({ length: count }, (_, index) => index).filter(
    (index) => seen.get(first + index) !== index + 2,
  )
  expect(wrong).toEqual([])
  expect(seen.get(first + count)).toBeUndefined()
})
