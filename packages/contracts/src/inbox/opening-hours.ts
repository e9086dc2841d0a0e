import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { timeZoneSchema } from '../core/time-zones.ts'

/**
 * One day's opening times, `HH:MM`; several spans a day are several entries. `day`: 0 is Sunday. One that ends before it begins
 * runs over midnight; the same time twice is the whole day.
 */
const openSpanSchema = z.object({
  day: z.number().int().min(0).max(6),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time'),
  to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter a time'),
})

/** Opening times of a workspace, or of one step of a bot. Without spans it is open at all hours of days that are not closed. */
export const businessHoursSchema = z.object({
  timeZone: z.string().min(1).max(64),
  spans: z.array(openSpanSchema).max(50),
  /** Days without service, `YYYY-MM-DD` in that zone. */
  closedOn: z.array(z.iso.date()).max(100),
})
export type BusinessHours = z.infer<typeof businessHoursSchema>

/** `version` is 0 before the first change. */
const openingHoursSchema = businessHoursSchema.extend({
  timeZone: timeZoneSchema,
  /** Text that customers get who write outside these hours, once until the next opening; empty: none. */
  awayAnswer: z.string().trim().max(1000).default(''),
  version: z.number().int().nonnegative(),
})
export type OpeningHours = z.infer<typeof openingHoursSchema>

/** Returns the hours of a workspace that has not set any: Monday to Friday, 9 to 17. */
export const defaultOpeningHours = (timeZone: string): OpeningHours => ({
  timeZone,
  spans: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' })),
  closedOn: [],
  awayAnswer: '',
  version: 0,
})

export const openingHoursApi = {
  read: defineEndpoint({
    operation: 'openingHours.read',
    method: 'GET',
    path: '/api/workspace/opening-hours',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Hours in which the workspace answers customers, for bots and response targets.',
    status: 200,
    response: openingHoursSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'openingHours.update',
    method: 'PUT',
    path: '/api/workspace/opening-hours',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes the opening hours. Times at which answers are already due stay.',
    body: openingHoursSchema,
    status: 200,
    response: openingHoursSchema,
    errors: ['stale_version'],
  }),
}
