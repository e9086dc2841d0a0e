import { expect, test } from 'vitest'
import { defaultTimeZone, timeZoneSchema, timeZones } from './time-zones.ts'

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

test('each standard offset is the one this zone has in January or July', () => {
  const offsetAt = (zone: string, date: Date) => {
    const part = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(date)
      .find((candidate) => candidate.type === 'timeZoneName')
    return (part?.value ?? '').replace('GMT', 'UTC').replace('-', '−').replace(/^UTC$/, 'UTC+00:00')
  }
  for (const { value, offset } of timeZones) {
    expect([offsetAt(value, new Date('2026-01-15')), offsetAt(value, new Date('2026-07-15'))], value).toContain(offset)
  }
})
