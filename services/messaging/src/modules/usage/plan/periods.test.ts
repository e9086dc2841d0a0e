import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysWith, monthsAfter, monthWith } from './allowance.ts'

test('a month from the 31st on ends with the last day of a month that has none, and the 31st comes back', () => {
  const starts = Array.from({ length: 6 }, (_, months) => monthsAfter('2027-10-31', months))
  expect(starts).toEqual(['2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'])
  expect(monthsAfter('2026-11-30', 3)).toBe('2027-02-28')
})

test.each([
  ['2026-11-25', '2026-11-25', { n: 0, from: '2026-11-25', to: '2026-12-25' }],
  ['2026-11-25', '2026-12-24', { n: 0, from: '2026-11-25', to: '2026-12-25' }],
  ['2026-11-25', '2026-12-25', { n: 1, from: '2026-12-25', to: '2027-01-25' }],
  ['2026-10-31', '2026-11-29', { n: 0, from: '2026-10-31', to: '2026-11-30' }],
  ['2026-10-31', '2026-11-30', { n: 1, from: '2026-11-30', to: '2026-12-31' }],
  // The clock of another zone may be a day behind.
  ['2026-11-25', '2026-11-24', { n: 0, from: '2026-11-25', to: '2026-12-25' }],
])('from %s on, %s is in its month', (anchor, date, period) => {
  expect(monthWith(anchor, date)).toEqual(period)
})

test('every day is in one month, which follows the one before', () => {
  const days = fc.integer({ min: 0, max: 4000 })
  const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
  fc.assert(
    fc.property(days, days, (first, further) => {
      const [anchor, date] = [dateOf(first), dateOf(first + further)]
      const { n, from, to } = monthWith(anchor, date)
      expect(from <= date && date < to).toBe(true)
      if (n > 0) expect(monthWith(anchor, monthsAfter(anchor, n - 1))).toMatchObject({ n: n - 1, to: from })
    }),
  )
})

test('periods of 30 days follow each other', () => {
  expect(daysWith('2026-11-07', 30, '2026-12-06')).toEqual({ n: 0, from: '2026-11-07', to: '2026-12-07' })
  expect(daysWith('2026-11-07', 30, '2026-12-07')).toEqual({ n: 1, from: '2026-12-07', to: '2027-01-06' })
})
