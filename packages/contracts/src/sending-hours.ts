import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { defaultTimeZone, timeZoneSchema } from './time-zones.ts'
import { dateAfter, momentOf, wallTimeOf } from './zoned-time.ts'

/** `HH:MM`, from 00:00 to 23:59. */
export const clockSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time')

export const sendingHoursFields = {
  /** Marketing campaigns wait outside of the hours. */
  limited: z.boolean(),
  /** IANA name of the zone whose clock counts. */
  zone: timeZoneSchema,
  /** `HH:MM`, from 00:00 to 23:59; `closes` may lie after midnight, and so before `opens`. */
  opens: clockSchema,
  closes: clockSchema,
}

/** `version` is 0 before the first change. */
const sendingHoursSchema = z.object({ ...sendingHoursFields, version: z.number().int().nonnegative() })
export type SendingHours = z.infer<typeof sendingHoursSchema>

export const defaultSendingHours: SendingHours = {
  limited: false,
  zone: defaultTimeZone,
  opens: '09:00',
  closes: '21:00',
  version: 0,
}

/**
 * Until when marketing has to wait at a moment; undefined where it may leave. Times that are alike leave the whole day open. An
 * hour that the clock skips opens as much later; of one that it shows twice the first counts.
 */
export function waitUntil({ limited, zone, opens, closes }: Omit<SendingHours, 'version'>, at: Date): Date | undefined {
  const { date, time } = wallTimeOf(at, zone)
  const isOpen = opens <= closes ? opens <= time && time < closes : opens <= time || time < closes
  if (!limited || isOpen || opens === closes) return undefined
  const day = time < opens ? date : dateAfter(date, 1)
  return momentOf({ date: day, time: opens }, zone)
}

/**
 * When hours that are open at a moment close next; undefined where they never do. A closing that the clock skips is when it skips
 * it. One that it shows twice is the first of both; from then on the second one has no end of its own, and `at` is the answer.
 */
export function closesAt({ limited, zone, opens, closes }: Omit<SendingHours, 'version'>, at: Date): Date | undefined {
  if (!limited || opens === closes) return undefined
  const { date, time } = wallTimeOf(at, zone)
  const day = time < closes ? date : dateAfter(date, 1)
  const moment = momentOf({ date: day, time: closes }, zone)
  return moment && moment > at ? firstAfter(moment, closes, zone) : at
}

const minuteMs = 60_000

/** The first minute of a day at which its clock has passed a time, which it may have skipped. @param moment one that it has. */
function firstAfter(moment: Date, time: string, zone: string): Date {
  const { date } = wallTimeOf(moment, zone)
  let first = moment
  for (;;) {
    const before = new Date(first.getTime() - minuteMs)
    const wall = wallTimeOf(before, zone)
    if (wall.date !== date || wall.time < time) return first
    first = before
  }
}

export const sendingHoursApi = {
  read: defineEndpoint({
    operation: 'sendingHours.read',
    method: 'GET',
    path: '/api/workspace/sending-hours',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Between which hours marketing campaigns are sent.',
    status: 200,
    response: sendingHoursSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'sendingHours.update',
    method: 'PUT',
    path: '/api/workspace/sending-hours',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes them; campaigns that run go by them within seconds.',
    body: sendingHoursSchema,
    status: 200,
    response: sendingHoursSchema,
    errors: ['stale_version'],
  }),
}
