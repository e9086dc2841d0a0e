import { expect, test, vi } from 'vitest'
import { fullTime, relativeTime } from './relative-time.ts'

const now = new Date('2026-03-08T22:15:00Z')

test.each([
  ['2026-03-08T22:15:30Z', 'Just now'],
  ['2026-03-08T22:14:01Z', 'Just now'],
  ['2026-03-08T22:11:00Z', '4 min ago'],
  ['2026-03-08T21:15:01Z', '59 min ago'],
  ['2026-03-08T20:15:00Z', '2 h ago'],
  ['2026-03-07T22:15:01Z', '23 h ago'],
])('%s reads %j', (at, text) => expect(relativeTime(new Date(at), now, 'UTC', 'en-GB')).toBe(text))

test('after a day stands the date, as it was in the time zone of the profile', () => {
  const at = new Date('2026-03-06T20:00:00Z')
  expect(relativeTime(at, now, 'UTC', 'en-GB')).toBe('6 Mar 2026')
  expect(relativeTime(at, now, 'Asia/Kolkata', 'en-GB')).toBe('7 Mar 2026')
})

test('the full time names the day, the time and the zone', () => {
  const text = fullTime(new Date('2026-03-06T20:00:00Z'), 'Asia/Kolkata', 'en-GB')
  expect(text).toContain('7 March 2026')
  expect(text).toMatch(/1:30/)
  expect(text).toMatch(/GMT\+5:30|IST/)
})

test('the times of a long list share their formatters', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const at = new Date('2026-03-01T20:00:00Z')
  for (let row = 0; row < 100; row += 1) {
    relativeTime(at, now, 'Europe/Berlin', 'en-GB')
    fullTime(at, 'Europe/Berlin', 'en-GB')
  }
  expect(made).toHaveBeenCalledTimes(2)
})
