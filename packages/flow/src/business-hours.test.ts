import { expect, test } from 'vitest'
import { isOpen, isTimeZone } from './business-hours.ts'

const weekdays = { timeZone: 'Asia/Kolkata', days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const nights = { ...weekdays, days: [5], from: '22:00', to: '02:00' }

test.each([
  ['Monday at nine', weekdays, '2026-03-09T03:30:00Z', true],
  ['a minute before', weekdays, '2026-03-09T03:29:59Z', false],
  ['the minute of closing', weekdays, '2026-03-09T12:30:00Z', false],
  ['Sunday noon', weekdays, '2026-03-08T06:30:00Z', false],
  ['Friday night', nights, '2026-03-13T17:00:00Z', true],
  ['Saturday before two, which is Friday night', nights, '2026-03-13T20:00:00Z', true],
  ['Friday before two', nights, '2026-03-12T20:00:00Z', false],
  ['all day', { ...weekdays, from: '00:00', to: '00:00' }, '2026-03-09T18:29:00Z', true],
  [
    'midnight in another zone',
    { ...weekdays, timeZone: 'America/New_York', from: '00:00', to: '01:00' },
    '2026-03-09T04:00:00Z',
    true,
  ],
])('%s', (_, hours, at, open) => {
  expect(isOpen(hours, new Date(at))).toBe(open)
})

test('time zones are those that the runtime knows', () => {
  expect([isTimeZone('Asia/Kolkata'), isTimeZone('Moon/Base')]).toEqual([true, false])
})
