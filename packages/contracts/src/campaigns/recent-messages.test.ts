import { expect, test } from 'vitest'
import { completeDraftSchema } from './campaign-fields.ts'
import { recentDaysSchema, recentSince } from './recent-messages.ts'

const since = (at: string, days: number, zone = 'Asia/Kolkata') => recentSince(new Date(at), days, zone).toISOString()

test('days are those of the calendar in the zone, and today is the last of them', () => {
  expect(since('2026-03-16T04:30:00Z', 1)).toBe('2026-03-15T18:30:00.000Z')
  expect(since('2026-03-16T04:30:00Z', 7)).toBe('2026-03-09T18:30:00.000Z')
  // In Kolkata it is the 17th already.
  expect(since('2026-03-16T18:30:00Z', 1)).toBe('2026-03-16T18:30:00.000Z')
})

test('it is the same from one midnight to the next, also where the clock is changed between them', () => {
  for (const at of ['2026-03-09T04:00:00Z', '2026-03-09T12:00:00Z', '2026-03-10T03:59:59Z'])
    expect(since(at, 2, 'America/New_York')).toBe('2026-03-08T05:00:00.000Z')
  expect(since('2026-03-10T04:00:00Z', 2, 'America/New_York')).toBe('2026-03-09T04:00:00.000Z')
})

test('a campaign of every Monday does not leave out who got that of last Monday', () => {
  const last = new Date('2026-03-09T10:00:05Z')
  const next = new Date('2026-03-16T10:00:00Z')
  expect(last >= recentSince(next, 7, 'Asia/Kolkata')).toBe(false)
  expect(last >= recentSince(next, 8, 'Asia/Kolkata')).toBe(true)
})

test.each([0, 91, 2.5, -1, '7', null, Number.NaN])('%s is no number of days', (days) => {
  expect(recentDaysSchema.safeParse(days).success).toBe(false)
  expect(completeDraftSchema.shape.recentDays.safeParse(days).success).toBe(false)
})

test('1 and 90 days are', () => {
  expect([1, 90].map((days) => completeDraftSchema.shape.recentDays.parse(days))).toEqual([1, 90])
  expect(completeDraftSchema.shape.recentDays.parse(undefined)).toBeUndefined()
})
