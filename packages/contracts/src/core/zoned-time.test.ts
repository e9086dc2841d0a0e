import { expect, test } from 'vitest'
import { momentOf, wallTimeOf } from './zoned-time.ts'

test.each([
  ['2026-03-14', '10:00', 'Asia/Kolkata', '2026-03-14T04:30:00.000Z'],
  ['2026-03-14', '00:00', 'Asia/Kathmandu', '2026-03-13T18:15:00.000Z'],
  ['2026-07-01', '09:30', 'America/New_York', '2026-07-01T13:30:00.000Z'],
  ['2026-01-01', '09:30', 'America/New_York', '2026-01-01T14:30:00.000Z'],
  ['2026-03-29', '03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29', '01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
  // Shown twice: the first of the two.
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-06-01', '12:00', 'UTC', '2026-06-01T12:00:00.000Z'],
])('%s %s in %s is %s', (date, time, zone, expected) => {
  const moment = momentOf({ date, time }, zone)
  expect(moment?.toISOString()).toBe(expected)
  if (moment) expect(wallTimeOf(moment, zone)).toEqual({ date, time })
})

test('a time that the clock skips is an hour later, and nonsense is no time', () => {
  expect(momentOf({ date: '2026-03-29', time: '02:30' }, 'Europe/Berlin')?.toISOString()).toBe(
    '2026-03-29T01:30:00.000Z',
  )
  expect(momentOf({ date: '', time: '10:00' }, 'UTC')).toBeUndefined()
  expect(momentOf({ date: '2026-02-31', time: '' }, 'UTC')).toBeUndefined()
})

test.each(['9999-12-31', '9999-12-30', '0000-01-01', '0001-01-01', '+010000-01-01'])(
  'at the ends of the calendar a clock shows nothing that can be told: %s',
  (date) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])
      expect(momentOf({ date, time: '23:59' }, zone)).toBeUndefined()
  },
)
