import { timeZonesAt } from '@parley/contracts/core/time-zones'
import { expect, test } from 'vitest'
import { matchesTimeZone } from './time-zone-field.tsx'

const zones = timeZonesAt(new Date('2026-01-15T12:00:00Z'))
const found = (search: string) => zones.filter((zone) => matchesTimeZone(search, zone)).map(({ value }) => value)

test.each([
  ['kolkata', ['Asia/Kolkata']],
  ['New York', ['America/New_York']],
  ['america/new_y', ['America/New_York']],
  ['sao paulo', ['America/Sao_Paulo']],
  ['+5:45', ['Asia/Kathmandu']],
  ['-10', ['Pacific/Honolulu']],
  ['UTC-9', ['America/Anchorage']],
  ['atlantis', []],
])('%j finds %j', (search, zones) => expect(found(search)).toEqual(zones))

test('an hour finds its half hours too, and nothing typed finds everything', () => {
  expect(found('+5')).toEqual(expect.arrayContaining(['Asia/Karachi', 'Asia/Kolkata', 'Asia/Kathmandu']))
  expect(found('+5')).not.toContain('Asia/Dhaka')
  expect(found('')).toHaveLength(zones.length)
})
