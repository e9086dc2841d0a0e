import { z } from 'zod'
import { timeZoneSchema } from '../core/time-zones.ts'

/** Days on which a schedule starts: one date, or again and again. `day`: 0 is Sunday. */
const repeatSchema = z.discriminatedUnion('every', [
  z.object({ every: z.literal('once'), date: z.iso.date('Choose a date') }),
  z.object({ every: z.literal('day') }),
  /** Monday to Friday. */
  z.object({ every: z.literal('weekday') }),
  z.object({
    every: z.literal('week'),
    days: z.array(z.number().int().min(0).max(6)).min(1, 'Choose at least one day').max(7),
  }),
  /** Shorter months: their last day. */
  z.object({
    every: z.literal('month'),
    day: z.number().int().min(1, 'A day from 1 to 31').max(31, 'A day from 1 to 31'),
  }),
])

/** Days and a time of the clock in a zone, `HH:MM`. */
export const timingSchema = z.object({
  repeat: repeatSchema,
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time'),
  timeZone: timeZoneSchema,
})
export type Timing = z.infer<typeof timingSchema>
