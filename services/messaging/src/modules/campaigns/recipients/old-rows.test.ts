import { expect, test } from 'vitest'
import { checkRowsKept, monthsBefore } from './old-rows.ts'

const before = (at: string, months: number) => monthsBefore(new Date(at), months).toISOString()

test('months are counted by the calendar, and a day that an earlier month does not have is its last one', () => {
  expect(before('2027-12-15T10:30:00.000Z', 13)).toBe('2026-11-15T10:30:00.000Z')
  expect(before('2027-01-15T00:00:00.000Z', 1)).toBe('2026-12-15T00:00:00.000Z')
  expect(before('2027-03-31T23:59:59.999Z', 1)).toBe('2027-02-28T23:59:59.999Z')
  expect(before('2028-03-31T08:00:00.000Z', 1)).toBe('2028-02-29T08:00:00.000Z')
  expect(before('2027-05-31T08:00:00.000Z', 6)).toBe('2026-11-30T08:00:00.000Z')
})

test('whoever asks for rows that are not kept is told for how long they were', () => {
  const at = new Date()
  expect(() => checkRowsKept({ name: 'Diwali' })).not.toThrow()
  const removed = (months: number) => () => checkRowsKept({ name: 'Diwali', rowsRemoved: { at, months } })
  expect(removed(13)).toThrow('The list of recipients of Diwali was kept for 13 months. Its numbers stay.')
  expect(removed(1)).toThrow('was kept for 1 month.')
})
