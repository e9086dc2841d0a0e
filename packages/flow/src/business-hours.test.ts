import { expect, test } from 'vitest'
import { isOpen, isTimeZone } from './business-hours.ts'

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
