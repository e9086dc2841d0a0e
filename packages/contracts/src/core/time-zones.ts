import { z } from 'zod'
import { asUtc, wallTimeOf } from './zoned-time.ts'

/** A choice of the time zone select: IANA name, and what a person reads. */
export interface TimeZoneOption {
  readonly value: string
  readonly label: string
}

const zone = (value: string, label: string): TimeZoneOption => ({ value, label })

/** The time zones on offer, sorted by label. Nothing else is accepted by the API. */
export const timeZones: readonly TimeZoneOption[] = [
  zone('Africa/Cairo', 'Cairo'),
  zone('Africa/Casablanca', 'Casablanca'),
  zone('Africa/Johannesburg', 'Johannesburg'),
  zone('Africa/Lagos', 'Lagos'),
  zone('Africa/Nairobi', 'Nairobi'),
  zone('America/Anchorage', 'Anchorage'),
  zone('America/Argentina/Buenos_Aires', 'Buenos Aires'),
  zone('America/Bogota', 'Bogotá'),
  zone('America/Chicago', 'Chicago'),
  zone('America/Denver', 'Denver'),
  zone('America/Halifax', 'Halifax'),
  zone('America/Lima', 'Lima'),
  zone('America/Los_Angeles', 'Los Angeles'),
  zone('America/Mexico_City', 'Mexico City'),
  zone('America/New_York', 'New York'),
  zone('America/Sao_Paulo', 'São Paulo'),
  zone('America/Toronto', 'Toronto'),
  zone('Asia/Bangkok', 'Bangkok'),
  zone('Asia/Colombo', 'Colombo'),
  zone('Asia/Dhaka', 'Dhaka'),
  zone('Asia/Dubai', 'Dubai'),
  zone('Asia/Hong_Kong', 'Hong Kong'),
  zone('Asia/Jakarta', 'Jakarta'),
  zone('Asia/Jerusalem', 'Jerusalem'),
  zone('Asia/Karachi', 'Karachi'),
  zone('Asia/Kathmandu', 'Kathmandu'),
  zone('Asia/Kolkata', 'India (Kolkata)'),
  zone('Asia/Kuala_Lumpur', 'Kuala Lumpur'),
  zone('Asia/Manila', 'Manila'),
  zone('Asia/Riyadh', 'Riyadh'),
  zone('Asia/Seoul', 'Seoul'),
  zone('Asia/Shanghai', 'Shanghai'),
  zone('Asia/Singapore', 'Singapore'),
  zone('Asia/Tokyo', 'Tokyo'),
  zone('Australia/Perth', 'Perth'),
  zone('Australia/Sydney', 'Sydney'),
  zone('Europe/Berlin', 'Berlin'),
  zone('Europe/Istanbul', 'Istanbul'),
  zone('Europe/London', 'London'),
  zone('Europe/Madrid', 'Madrid'),
  zone('Europe/Paris', 'Paris'),
  zone('Pacific/Auckland', 'Auckland'),
  zone('Pacific/Honolulu', 'Honolulu'),
  zone('UTC', 'UTC'),
].sort((a, b) => a.label.localeCompare(b.label, 'en'))

/** Preselected in the profile form. */
export const defaultTimeZone = 'Asia/Kolkata'

const known = new Set(timeZones.map((option) => option.value))

/** One of {@link timeZones} by its IANA name. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine((value) => known.has(value), 'Choose a time zone from the list.')

/** Returns the offset of a zone's clocks from UTC at a moment, by the data of the machine: `UTC+05:30`, `UTC−03:00`. */
export function offsetOf(zone: string, at: Date): string {
  const wall = wallTimeOf(at, zone)
  const minutes = Math.round((asUtc(wall) - Math.floor(at.getTime() / minuteMs) * minuteMs) / minuteMs)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
const minuteMs = 60_000

/** {@link timeZones} with their offsets from UTC at a moment: they change. */
export const timeZonesAt = (at: Date): (TimeZoneOption & { readonly offset: string })[] =>
  timeZones.map((option) => ({ ...option, offset: offsetOf(option.value, at) }))
