import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTimeZone } from '../core/zoned-time.ts'
import { afterOpenSeconds, isOpen, nextOpening, openSecondsBetween } from './open-time.ts'
import type { BusinessHours } from './opening-hours.ts'

const span = (days: readonly number[], from: string, to: string) => days.map((day) => ({ day, from, to }))
const of = (spans: ReturnType<typeof span>, timeZone = 'Asia/Kolkata', closedOn: string[] = []) => ({
  timeZone,
  spans,
  closedOn,
})
const workdays = [1, 2, 3, 4, 5]
const weekdays = of(span(workdays, '09:00', '18:00'))
const nights = of(span([5], '22:00', '02:00'))
const siesta = of([...span(workdays, '09:00', '13:00'), ...span(workdays, '16:00', '20:00')])

test.each([
  ['Monday at nine', weekdays, '2026-03-09T03:30:00Z', true],
  ['a minute before', weekdays, '2026-03-09T03:29:59Z', false],
  ['the minute of closing', weekdays, '2026-03-09T12:30:00Z', false],
  ['Sunday noon', weekdays, '2026-03-08T06:30:00Z', false],
  ['Friday night', nights, '2026-03-13T17:00:00Z', true],
  ['Saturday before two, which is Friday night', nights, '2026-03-13T20:00:00Z', true],
  ['Friday before two', nights, '2026-03-12T20:00:00Z', false],
  ['no hours entered', of([]), '2026-03-08T20:00:00Z', true],
  ['no hours entered, on a closed day', of([], 'Asia/Kolkata', ['2026-03-09']), '2026-03-09T06:30:00Z', false],
  ['all day', of(span(workdays, '00:00', '00:00')), '2026-03-09T18:29:00Z', true],
  ['midnight in another zone', of(span(workdays, '00:00', '01:00'), 'America/New_York'), '2026-03-09T04:00:00Z', true],
  ['before the break', siesta, '2026-03-09T07:29:00Z', true],
  ['in the break', siesta, '2026-03-09T07:30:00Z', false],
  ['after the break', siesta, '2026-03-09T10:30:00Z', true],
  ['a closed day', of(weekdays.spans, 'Asia/Kolkata', ['2026-03-09']), '2026-03-09T06:30:00Z', false],
  ['the day after', of(weekdays.spans, 'Asia/Kolkata', ['2026-03-09']), '2026-03-10T06:30:00Z', true],
  ['the night of a closed Friday', of(nights.spans, 'Asia/Kolkata', ['2026-03-13']), '2026-03-13T20:00:00Z', false],
  [
    'the end of Friday’s night on a closed day',
    of(nights.spans, 'Asia/Kolkata', ['2026-03-14']),
    '2026-03-13T20:00:00Z',
    true,
  ],
])('%s', (_, hours, at, open) => {
  expect(isOpen(hours, new Date(at))).toBe(open)
})

test('time zones are those that the runtime knows', () => {
  expect([isTimeZone('Asia/Kolkata'), isTimeZone('Moon/Base')]).toEqual([true, false])
})

const minuteMs = 60_000
const clock = fc.integer({ min: 0, max: 24 * 12 - 1 }).map((n) => {
  const minutes = n * 5
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
})
const anyHours: fc.Arbitrary<BusinessHours> = fc.record({
  // Lord Howe's clock is changed by half an hour.
  timeZone: fc.constantFrom('Asia/Kathmandu', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
  spans: fc.array(fc.record({ day: fc.integer({ min: 0, max: 6 }), from: clock, to: clock }), { maxLength: 8 }),
  closedOn: fc.subarray(['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-25', '2026-11-01']),
})
/** Minutes around the days on which clocks are changed. */
const anyMoment = fc
  .tuple(
    fc.constantFrom('2026-03-07', '2026-03-28', '2026-04-04', '2026-10-24', '2026-10-31', '2026-06-03'),
    fc.integer({ min: 0, max: 3 * 1440 }),
  )
  .map(([day, minutes]) => new Date(Date.parse(`${day}T00:00:00Z`) + minutes * minuteMs))

test('open time is the sum of the minutes that are open, whatever clocks do', () => {
  fc.assert(
    fc.property(anyHours, anyMoment, fc.integer({ min: 0, max: 3000 }), (hours, from, minutes) => {
      let open = 0
      for (let n = 0; n < minutes; n += 1) if (isOpen(hours, new Date(from.getTime() + n * minuteMs))) open += 1
      expect(openSecondsBetween(hours, from, new Date(from.getTime() + minutes * minuteMs))).toBe(open * 60)
    }),
    { numRuns: 150 },
  )
})

test('a deadline comes once the business was open for so long, and not before', () => {
  fc.assert(
    fc.property(anyHours, anyMoment, fc.integer({ min: 1, max: 3000 }), (hours, from, minutes) => {
      const due = afterOpenSeconds(hours, from, minutes * 60)
      if (!due) return
      expect(openSecondsBetween(hours, from, due)).toBe(minutes * 60)
      expect(isOpen(hours, new Date(due.getTime() - 1))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['within the day', weekdays, '2026-03-09T04:30:00Z', 30, '2026-03-09T05:00:00.000Z'],
  ['over the night', weekdays, '2026-03-09T12:20:00Z', 30, '2026-03-10T03:50:00.000Z'],
  ['over a weekend', weekdays, '2026-03-13T12:20:00Z', 30, '2026-03-16T03:50:00.000Z'],
  ['over the break', siesta, '2026-03-09T07:20:00Z', 20, '2026-03-09T10:40:00.000Z'],
  [
    'over a closed day',
    of(weekdays.spans, 'Asia/Kolkata', ['2026-03-10']),
    '2026-03-09T12:20:00Z',
    30,
    '2026-03-11T03:50:00.000Z',
  ],
])('an answer is due %s', (_, hours, from, minutes, due) => {
  expect(afterOpenSeconds(hours, new Date(from), minutes * 60)?.toISOString()).toBe(due)
})

test('the next opening is that of the next span, and there is none where there are no hours', () => {
  expect(nextOpening(weekdays, new Date('2026-03-13T12:30:00Z'))?.toISOString()).toBe('2026-03-16T03:30:00.000Z')
  const open = new Date('2026-03-13T12:29:00Z')
  expect(nextOpening(weekdays, open)).toEqual(open)
  const days = Array.from({ length: 100 }, (_, n) => new Date(Date.UTC(2026, 2, 13 + n)).toISOString().slice(0, 10))
  expect(
    nextOpening(of([{ day: 5, from: '09:00', to: '10:00' }], 'UTC', days), new Date('2026-03-13T00:00:00Z')),
  ).toEqual(new Date('2026-06-26T09:00:00Z'))
})
