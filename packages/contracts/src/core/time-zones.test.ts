import { expect, test } from 'vitest'
import { defaultTimeZone, offsetOf, timeZoneSchema, timeZones } from './time-zones.ts'

test('there are 44 zones, each known to this machine, none twice', () => {
  expect(timeZones).toHaveLength(44)
  expect(new Set(timeZones.map((zone) => zone.value)).size).toBe(44)
  for (const { value } of timeZones) expect(() => new Intl.DateTimeFormat('en', { timeZone: value })).not.toThrow()
})

test('they are sorted by label and hold the default', () => {
  const labels = timeZones.map((zone) => zone.label)
  expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')))
  expect(timeZoneSchema.parse(defaultTimeZone)).toBe('Asia/Kolkata')
})

test.each(['', 'Mars/Olympus', 'asia/kolkata', 'Europe/Atlantis'])('%j is refused', (value) => {
  expect(timeZoneSchema.safeParse(value).success).toBe(false)
})

test('offsets are those of the machine’s own data, on every day of a year', () => {
  for (const { value } of timeZones) {
    const formatter = new Intl.DateTimeFormat('en', { timeZone: value, timeZoneName: 'longOffset' })
    for (let day = 0; day < 366; day += 1) {
      const at = new Date(Date.UTC(2026, 0, 1 + day, 12))
      const part = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const expected = part.replace('GMT', 'UTC').replace('-', '−').replace(/^UTC$/, 'UTC+00:00')
      expect(offsetOf(value, at), `${value} on ${at.toISOString()}`).toBe(expected)
    }
  }
})

test.each([
  ['Asia/Kolkata', '2026-07-01T00:00:00Z', 'UTC+05:30'],
  ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 'UTC+05:45'],
  ['America/Sao_Paulo', '2026-07-01T23:59:59Z', 'UTC−03:00'],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 'UTC+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 'UTC+02:00'],
  ['UTC', '2026-07-01T00:00:00Z', 'UTC+00:00'],
])('%s at %s is %s', (zone, at, offset) => expect(offsetOf(zone, new Date(at))).toBe(offset))
