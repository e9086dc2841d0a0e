import { expect, test } from 'vitest'
import { closesAt, hoursIn, type SendingHours, waitUntil } from './sending-hours.ts'

const hours = (over: Partial<SendingHours> = {}): SendingHours => ({
  limited: true,
  zone: 'Asia/Kolkata',
  opens: '09:00',
  closes: '21:00',
  version: 1,
  ...over,
})
const waits = (over: Partial<SendingHours>, at: string) => waitUntil(hours(over), new Date(at))?.toISOString()

test.each<[string, Partial<SendingHours>, string, string | undefined]>([
  ['at any hour where they do not count', { limited: false }, '2026-03-14T22:00:00Z', undefined],
  ['from the first minute', {}, '2026-03-14T03:30:00Z', undefined],
  ['to the last minute', {}, '2026-03-14T15:29:59Z', undefined],
  ['not from the closing on: until the next morning', {}, '2026-03-14T15:30:00Z', '2026-03-15T03:30:00.000Z'],
  ['not before the opening: until that morning', {}, '2026-03-14T20:00:00Z', '2026-03-15T03:30:00.000Z'],
  ['over the end of a year', {}, '2026-12-31T17:00:00Z', '2027-01-01T03:30:00.000Z'],
  ['through midnight', { opens: '20:00', closes: '02:00' }, '2026-03-14T19:00:00Z', undefined],
  [
    'not between the ends of such hours',
    { opens: '20:00', closes: '02:00' },
    '2026-03-14T20:30:00Z',
    '2026-03-15T14:30:00.000Z',
  ],
  ['all day where both are alike', { opens: '09:00', closes: '09:00' }, '2026-03-14T20:00:00Z', undefined],
  [
    'later where the clock skips the opening',
    { zone: 'Europe/Berlin', opens: '02:30', closes: '21:00' },
    '2026-03-28T22:00:00Z',
    '2026-03-29T01:30:00.000Z',
  ],
  [
    'at the first one where the clock shows the opening twice',
    { zone: 'Europe/Berlin', opens: '02:30', closes: '21:00' },
    '2026-10-24T22:00:00Z',
    '2026-10-25T00:30:00.000Z',
  ],
])('marketing leaves %s', (_when, over, at, until) => expect(waits(over, at)).toBe(until))

test.each([
  ['a usual day', '21:00', '2026-03-28T10:00:00Z', '2026-03-28T20:00:00.000Z'],
  // Clocks in Berlin go from 02:00 to 03:00 at 01:00 UTC.
  ['a closing that the clock skips', '02:15', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
  ['one that it shows twice', '02:15', '2026-10-25T00:00:00Z', '2026-10-25T00:15:00.000Z'],
])('they close: %s', (_name, closes, at, expected) => {
  const berlin = hours({ zone: 'Europe/Berlin', opens: '00:00', closes })
  const end = closesAt(berlin, new Date(at))
  expect(end?.toISOString()).toBe(expected)
  expect(waitUntil(berlin, new Date((end?.getTime() ?? 0) - 1))).toBeUndefined()
})

const world = {
  unknown: [],
  india: ['Asia/Kolkata'],
  usa: ['America/New_York', 'America/Chicago', 'America/Los_Angeles', 'Pacific/Honolulu'],
  brazil: ['America/Noronha', 'America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco'],
  russia: ['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Yekaterinburg', 'Asia/Vladivostok', 'Asia/Kamchatka'],
}

test.each<[string, keyof typeof world, Partial<SendingHours>, string, string]>([
  ['without limits', 'russia', { limited: false }, '', ''],
  ['all day', 'russia', { closes: '09:00' }, '', ''],
  ['in the zone of the workspace where none is known', 'unknown', { zone: 'Europe/Berlin' }, '08:00', '20:00'],
  ['in their own zone, whatever that of the workspace', 'india', { zone: 'Europe/Berlin' }, '03:30', '15:30'],
  // From nine in Honolulu to nine in the evening in New York, where it is summer time already.
  ['where all of a country are awake', 'usa', {}, '19:00', '01:00'],
  ['in Brazil', 'brazil', {}, '14:00', '23:00'],
  ['in Russia', 'russia', {}, '07:00', '09:00'],
  ['through midnight in all zones', 'brazil', { opens: '18:00', closes: '02:00' }, '23:00', '04:00'],
  // From ten to six nowhere in common: Moscow, Yekaterinburg and Kaliningrad are three of five that are open together.
  ['where most of a country are at work', 'russia', { opens: '10:00', closes: '18:00' }, '08:00', '13:00'],
])('marketing leaves %s', (_when, people, over, opens, closes) => {
  const halfHours = Array.from({ length: 96 }, (_, half) => {
    const at = new Date(Date.parse('2026-03-14T00:00:00Z') + half * 1_800_000)
    const time = at.toISOString().slice(11, 16)
    const isOpen = opens < closes ? opens <= time && time < closes : opens <= time || time < closes
    return {
      at,
      time,
      isOpen: opens === '' || isOpen,
      now: hoursIn(hours({ zone: 'UTC', ...over }), world[people], at),
    }
  })
  expect(halfHours.filter(({ isOpen, now }) => isOpen === Boolean(now.waitsUntil))).toEqual([])
  for (const { at, isOpen, now } of halfHours.slice(0, 48)) {
    const next = opens === '' ? undefined : halfHours.find((later) => later.at > at && later.isOpen !== isOpen)?.at
    expect(now).toEqual(next ? { [isOpen ? 'closesAt' : 'waitsUntil']: next } : {})
  }
})
