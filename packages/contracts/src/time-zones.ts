import { z } from 'zod'

/** A choice of the time zone select: IANA name, what a person reads, and the zone's standard offset from UTC. */
export interface TimeZoneOption {
  readonly value: string
  readonly label: string
  readonly offset: string
}

const zone = (value: string, label: string, offset: string): TimeZoneOption => ({ value, label, offset })

/** The time zones on offer, sorted by label. Nothing else is accepted by the API. */
export const timeZones: readonly TimeZoneOption[] = [
  zone('Africa/Cairo', 'Cairo', 'UTC+02:00'),
  zone('Africa/Casablanca', 'Casablanca', 'UTC+01:00'),
  zone('Africa/Johannesburg', 'Johannesburg', 'UTC+02:00'),
  zone('Africa/Lagos', 'Lagos', 'UTC+01:00'),
  zone('Africa/Nairobi', 'Nairobi', 'UTC+03:00'),
  zone('America/Anchorage', 'Anchorage', 'UTC−09:00'),
  zone('America/Argentina/Buenos_Aires', 'Buenos Aires', 'UTC−03:00'),
  zone('America/Bogota', 'Bogotá', 'UTC−05:00'),
  zone('America/Chicago', 'Chicago', 'UTC−06:00'),
  zone('America/Denver', 'Denver', 'UTC−07:00'),
  zone('America/Halifax', 'Halifax', 'UTC−04:00'),
  zone('America/Lima', 'Lima', 'UTC−05:00'),
  zone('America/Los_Angeles', 'Los Angeles', 'UTC−08:00'),
  zone('America/Mexico_City', 'Mexico City', 'UTC−06:00'),
  zone('America/New_York', 'New York', 'UTC−05:00'),
  zone('America/Sao_Paulo', 'São Paulo', 'UTC−03:00'),
  zone('America/Toronto', 'Toronto', 'UTC−05:00'),
  zone('Asia/Bangkok', 'Bangkok', 'UTC+07:00'),
  zone('Asia/Colombo', 'Colombo', 'UTC+05:30'),
  zone('Asia/Dhaka', 'Dhaka', 'UTC+06:00'),
  zone('Asia/Dubai', 'Dubai', 'UTC+04:00'),
  zone('Asia/Hong_Kong', 'Hong Kong', 'UTC+08:00'),
  zone('Asia/Jakarta', 'Jakarta', 'UTC+07:00'),
  zone('Asia/Jerusalem', 'Jerusalem', 'UTC+02:00'),
  zone('Asia/Karachi', 'Karachi', 'UTC+05:00'),
  zone('Asia/Kathmandu', 'Kathmandu', 'UTC+05:45'),
  zone('Asia/Kolkata', 'India (Kolkata)', 'UTC+05:30'),
  zone('Asia/Kuala_Lumpur', 'Kuala Lumpur', 'UTC+08:00'),
  zone('Asia/Manila', 'Manila', 'UTC+08:00'),
  zone('Asia/Riyadh', 'Riyadh', 'UTC+03:00'),
  zone('Asia/Seoul', 'Seoul', 'UTC+09:00'),
  zone('Asia/Shanghai', 'Shanghai', 'UTC+08:00'),
  zone('Asia/Singapore', 'Singapore', 'UTC+08:00'),
  zone('Asia/Tokyo', 'Tokyo', 'UTC+09:00'),
  zone('Australia/Perth', 'Perth', 'UTC+08:00'),
  zone('Australia/Sydney', 'Sydney', 'UTC+10:00'),
  zone('Europe/Berlin', 'Berlin', 'UTC+01:00'),
  zone('Europe/Istanbul', 'Istanbul', 'UTC+03:00'),
  zone('Europe/London', 'London', 'UTC+00:00'),
  zone('Europe/Madrid', 'Madrid', 'UTC+01:00'),
  zone('Europe/Paris', 'Paris', 'UTC+01:00'),
  zone('Pacific/Auckland', 'Auckland', 'UTC+12:00'),
  zone('Pacific/Honolulu', 'Honolulu', 'UTC−10:00'),
  zone('UTC', 'UTC', 'UTC+00:00'),
].sort((a, b) => a.label.localeCompare(b.label, 'en'))

/** Preselected in the profile form. */
export const defaultTimeZone = 'Asia/Kolkata'

const known = new Set(timeZones.map((option) => option.value))

/** One of {@link timeZones} by its IANA name. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine((value) => known.has(value), 'Choose a time zone from the list.')
