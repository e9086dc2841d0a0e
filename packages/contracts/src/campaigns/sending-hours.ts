import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { defaultTimeZone, timeZoneSchema } from '../core/time-zones.ts'
import { asUtc, dateAfter, momentOf, wallTimeOf } from '../core/zoned-time.ts'

/** `HH:MM`, from 00:00 to 23:59. */
export const clockSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time')

export const sendingHoursFields = {
  /** Marketing campaigns wait outside of the hours. */
  limited: z.boolean(),
  /** IANA name of the zone whose clock counts for contacts without a known zone of their own, and for plans of the workspace. */
  zone: timeZoneSchema,
  /** `HH:MM`, from 00:00 to 23:59; `closes` may lie after midnight, and so before `opens`. */
  opens: clockSchema,
  closes: clockSchema,
}

/** `version` is 0 before the first change. */
const sendingHoursSchema = z.object({ ...sendingHoursFields, version: z.number().int().nonnegative() })
export type SendingHours = z.infer<typeof sendingHoursSchema>
type Hours = Omit<SendingHours, 'version'>

export const defaultSendingHours: SendingHours = {
  limited: false,
  zone: defaultTimeZone,
  opens: '09:00',
  closes: '21:00',
  version: 0,
}

/**
 * Returns the time until which marketing has to wait at a moment; undefined where it may leave. Equal times leave the whole day
 * open. An hour that the clock skips opens as much later; of one that it shows twice the first counts.
 */
export function waitUntil({ limited, zone, opens, closes }: Hours, at: Date): Date | undefined {
  const { date, time } = wallTimeOf(at, zone)
  const isOpen = opens <= closes ? opens <= time && time < closes : opens <= time || time < closes
  if (!limited || isOpen || opens === closes) return undefined
  const day = time < opens ? date : dateAfter(date, 1)
  return momentOf({ date: day, time: opens }, zone)
}

/**
 * Returns the time at which hours that are open at a moment close next; undefined where they never do. A closing that the clock
 * skips is when it skips it. One that it shows twice is the first of both; from then on the second one has no end of its own, and
 * `at` is the answer. A clock that is put back to before they open closes them, until they open once more.
 */
export function closesAt(hours: Hours, at: Date): Date | undefined {
  const { limited, zone, opens, closes } = hours
  if (!limited || opens === closes) return undefined
  const { date, time } = wallTimeOf(at, zone)
  const day = time < closes ? date : dateAfter(date, 1)
  const closing = { date: day, time: closes }
  const moment = momentOf(closing, zone)
  if (!moment || moment <= at) return at
  const isPutBack = moment.getTime() - at.getTime() > asUtc(closing) - asUtc({ date, time })
  return (isPutBack ? firstClosed(hours, at, moment) : undefined) ?? firstAfter(moment, closes, zone)
}

const minuteMs = 60_000
/** Clocks are changed at quarters of an hour. */
const quarterMs = 15 * minuteMs

/** The first change of the clock between two moments by which the hours are closed. */
function firstClosed(hours: Hours, from: Date, until: Date): Date | undefined {
  for (let ms = Math.ceil(from.getTime() / quarterMs) * quarterMs; ms < until.getTime(); ms += quarterMs)
    if (waitUntil(hours, new Date(ms))) return new Date(ms)
  return undefined
}

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

const dayMs = 24 * 60 * minuteMs

/** State of the hours, and when it ends: moments after the one that was asked about. */
interface HoursNow {
  /** Absent while they are open. */
  readonly waitsUntil?: Date
  /** Time at which they close next; absent where they are closed, or never close. */
  readonly closesAt?: Date
}

/**
 * The hours for people who may live in any of several zones: open while they are by the clocks of all. Where they are so short
 * that they never are, the zones count of which the most are open together.
 * @param zones IANA names; none: the workspace's own.
 */
export function hoursIn(hours: Hours, zones: readonly string[], at: Date): HoursNow {
  if (!hours.limited || hours.opens === hours.closes) return {}
  const all = (zones.length === 0 ? [hours.zone] : zones).map((zone) => ({ ...hours, zone }))
  const opening = openingOf(all, at)
  const kept = opening ? all : mostTogether(all, at)
  const opensAt = opening ?? openingOf(kept, at) ?? at
  if (opensAt > at) return { waitsUntil: opensAt }
  return { closesAt: new Date(Math.min(...kept.map((zoneHours) => after(at, closesAt(zoneHours, at))))) }
}

/** The first moment from one on at which all are open; undefined where there is none within two days. */
function openingOf(all: readonly Hours[], from: Date): Date | undefined {
  for (let at = from; at.getTime() <= from.getTime() + 2 * dayMs; ) {
    const waits = all.flatMap((zoneHours) => waitUntil(zoneHours, at) ?? [])
    if (waits.length === 0) return at
    at = new Date(Math.max(...waits.map((until) => after(at, until))))
  }
  return undefined
}

/** Returns the largest set of zones that are open at the same time: one of them has just opened then. */
function mostTogether(all: readonly Hours[], at: Date): readonly Hours[] {
  const openings = all.map((zoneHours) => {
    const closed = waitUntil(zoneHours, at) ? at : new Date(after(at, closesAt(zoneHours, at)))
    // The hours alone do not tell: of an opening that the clock shows twice, the first may have passed.
    return openingOf([zoneHours], closed) ?? closed
  })
  const parts = openings.map((opening) => all.filter((zoneHours) => !waitUntil(zoneHours, opening)))
  return parts.reduce((most, part) => (part.length > most.length ? part : most), [])
}

/** Returns milliseconds, always later than now: in an hour that the clock shows twice, the change is checked a minute later. */
const after = (at: Date, change: Date | undefined): number =>
  change && change > at ? change.getTime() : (Math.floor(at.getTime() / minuteMs) + 1) * minuteMs

export const sendingHoursApi = {
  read: defineEndpoint({
    operation: 'sendingHours.read',
    method: 'GET',
    path: '/api/workspace/sending-hours',
    access: 'session',
    permission: 'workspace:read',
    summary: 'The hours in which marketing campaigns are sent.',
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
    summary: 'Changes the sending hours; running campaigns follow within seconds.',
    body: sendingHoursSchema,
    status: 200,
    response: sendingHoursSchema,
    errors: ['stale_version'],
  }),
}
