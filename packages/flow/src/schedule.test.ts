import type { Timing } from '@parley/contracts/automation/schedule'
import { expect, test } from 'vitest'
import { nextStart } from './schedule.ts'

/** Starts of a schedule after a moment, one after the other. */
function startsOf(timing: Timing, after: string, count: number): string[] {
  const found: string[] = []
  for (let from = new Date(after); found.length < count; ) {
    const next = nextStart(timing, from)
    if (!next) break
    found.push(`${next.slot} ${next.at.toISOString().slice(0, 16)}Z`)
    from = next.at
  }
  return found
}
const berlin = (repeat: Timing['repeat'], time: string): Timing => ({ repeat, time, timeZone: 'Europe/Berlin' })

test('each day has one start, also where the clock skips its time or shows it twice', () => {
  expect(startsOf(berlin({ every: 'day' }, '02:30'), '2026-03-27T12:00:00Z', 3)).toEqual([
    '2026-03-28T02:30 2026-03-28T01:30Z',
    '2026-03-29T02:30 2026-03-29T01:30Z',
    '2026-03-30T02:30 2026-03-30T00:30Z',
  ])
  expect(startsOf(berlin({ every: 'day' }, '02:30'), '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T02:30 2026-10-25T00:30Z',
    '2026-10-26T02:30 2026-10-26T01:30Z',
  ])
  // Between the first and the second 02:30 of that night: today's is over.
  expect(startsOf(berlin({ every: 'day' }, '02:30'), '2026-10-25T01:00:00Z', 1)).toEqual([
    '2026-10-26T02:30 2026-10-26T01:30Z',
  ])
  // There the clock skips midnight.
  const cairo: Timing = { repeat: { every: 'week', days: [5] }, time: '00:30', timeZone: 'Africa/Cairo' }
  expect(startsOf(cairo, '2026-04-23T12:00:00Z', 1)).toEqual(['2026-04-24T00:30 2026-04-23T22:30Z'])
})

test('a zone with minutes, and one far from UTC, have their own day', () => {
  const kathmandu: Timing = { repeat: { every: 'weekday' }, time: '09:00', timeZone: 'Asia/Kathmandu' }
  // Friday 09:00 there is 03:15 in London; the next is on Monday.
  expect(startsOf(kathmandu, '2026-11-27T03:14:00Z', 2)).toEqual([
    '2026-11-27T09:00 2026-11-27T03:15Z',
    '2026-11-30T09:00 2026-11-30T03:15Z',
  ])
  const honolulu: Timing = { repeat: { every: 'week', days: [0] }, time: '20:00', timeZone: 'Pacific/Honolulu' }
  expect(startsOf(honolulu, '2026-11-30T05:59:00Z', 1)).toEqual(['2026-11-29T20:00 2026-11-30T06:00Z'])
})

test('a day that a month lacks is its last one; a date comes once and is over', () => {
  expect(startsOf(berlin({ every: 'month', day: 31 }, '08:00'), '2027-01-31T12:00:00Z', 4)).toEqual([
    '2027-02-28T08:00 2027-02-28T07:00Z',
    '2027-03-31T08:00 2027-03-31T06:00Z',
    '2027-04-30T08:00 2027-04-30T06:00Z',
    '2027-05-31T08:00 2027-05-31T06:00Z',
  ])
  expect(startsOf(berlin({ every: 'month', day: 1 }, '08:00'), '2027-01-01T08:00:00Z', 1)).toEqual([
    '2027-02-01T08:00 2027-02-01T07:00Z',
  ])
  const once = berlin({ every: 'once', date: '2026-12-24' }, '18:00')
  expect(startsOf(once, '2026-12-01T00:00:00Z', 5)).toEqual(['2026-12-24T18:00 2026-12-24T17:00Z'])
  expect(nextStart(once, new Date('2026-12-24T17:00:00Z'))).toBeUndefined()
})

test('over a year with its changes of the clock there is one start a day, each later than the one before', () => {
  for (const timeZone of ['Europe/Berlin', 'Africa/Cairo'])
    for (const time of ['00:30', '02:30']) {
      const starts = startsOf({ repeat: { every: 'day' }, time, timeZone }, '2026-01-01T12:00:00Z', 365)
      expect(new Set(starts.map((start) => start.slice(0, 10))).size).toBe(365)
      expect(starts.map((start) => start.slice(17))).toEqual(starts.map((start) => start.slice(17)).toSorted())
    }
})
