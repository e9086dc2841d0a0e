import { z } from 'zod'
import { countSchema, timeSchema } from '../core/records.ts'
import { dateAfter, momentOf, wallTimeOf } from '../core/zoned-time.ts'
import { hoursIn, type SendingHours } from './sending-hours.ts'

/** Limits that keep messages of a day from leaving sooner. */
const deliveryLimits = ['number', 'hours', 'portfolio'] as const
type DeliveryLimit = (typeof deliveryLimits)[number]

/** A forecast: when the messages of a campaign leave, and how many on each day of the workspace's zone. */
export const deliveryPlanSchema = z.object({
  /** Time at which the last one leaves; null where that takes longer than the plan looks ahead. */
  finishAt: timeSchema.nullable(),
  /** Up to 32 dates: 30 times 24 hours from late in an evening, with the clock put forward meanwhile. */
  days: z.array(z.object({ date: z.iso.date(), count: countSchema, limitedBy: z.enum(deliveryLimits) })).max(32),
  /** Messages that do not leave within 30 days. */
  beyond: countSchema,
})
export type DeliveryPlan = z.infer<typeof deliveryPlanSchema>

/** Recipients who have the same hours. */
export interface DeliveryGroup {
  readonly recipients: number
  /** Recipients that WhatsApp does not count: their 24-hour window is open. */
  readonly withOpenWindow?: number
  /** The zones by whose clocks the hours are kept, all together; none: that of the hours. */
  readonly zones: readonly string[]
}

/** Input of a forecast. */
export interface DeliveryFacts {
  readonly at: Date
  readonly groups: readonly DeliveryGroup[]
  /** Messages a second that campaigns of the number may send together. */
  readonly ratePerSecond: number
  /** Other campaigns that the number sends at the same time. */
  readonly sharedWith: number
  /** The hours to keep to, if they are limited, and the zone of the days. */
  readonly hours: Omit<SendingHours, 'version'>
  /** Customers that may be written to first in 24 hours, and when those of the last 24 hours stop counting; absent: no limit. */
  readonly portfolio?:
    | { readonly limit: number; readonly frees: readonly { readonly at: Date; readonly count: number }[] }
    | undefined
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const horizonMs = 30 * dayMs

/** A forecast, a minute at a time for at most 30 days. Pure; a million recipients cost as much as a thousand minutes do. */
export function planDelivery(facts: DeliveryFacts): DeliveryPlan {
  const days = createDays(facts.hours.zone, facts.at.getTime())
  let [sent, endMs] = [0, facts.at.getTime()]
  for (const step of deliverySteps(facts)) {
    days.add(step)
    sent += step.count
    if (step.count > 0) endMs = step.doneAt
  }
  const beyond = facts.groups.reduce((sum, { recipients }) => sum + recipients, -sent)
  return { finishAt: beyond > 0 ? null : new Date(endMs).toISOString(), days: days.all(), beyond }
}

/** Some time in which messages leave, or wait. Times in milliseconds. */
interface Step {
  readonly from: number
  readonly until: number
  /** Messages that leave in it, and how many of these WhatsApp counts. */
  readonly count: number
  readonly counted: number
  /** Messages that leave per group: index of the group, and the number. */
  readonly shares: readonly (readonly [group: number, count: number])[]
  /** Time at which the last of them leaves. */
  readonly doneAt: number
  readonly limitedBy: DeliveryLimit
}

/** The steps of a forecast, without a gap, until everything has left or the plan ends. */
export function* deliverySteps(facts: DeliveryFacts): Generator<Step> {
  const { at, ratePerSecond, sharedWith } = facts
  const perMs = ratePerSecond / 1000 / (sharedWith + 1)
  const places = createPlaces(facts.portfolio)
  const groups = createGroups(facts)
  const endMs = at.getTime() + horizonMs
  let allowance = 0
  let now = at.getTime()
  const wait = (until: number, limitedBy: DeliveryLimit): Step => {
    const from = now
    now = Math.min(until, endMs)
    allowance = 0
    return { from, until: now, count: 0, counted: 0, shares: [], doneAt: from, limitedBy }
  }
  while (groups.isLeft() && now < endMs) {
    const open = groups.openAt(now)
    if (open.length === 0) {
      yield wait(groups.nextChange(), 'hours')
      continue
    }
    const ready = open.reduce((sum, { left }) => sum + left, 0)
    const free = places.freeAt(now)
    if (free === 0 && open.every(({ left, toCount }) => left === toCount)) {
      yield wait(Math.min(places.nextAt() ?? endMs, groups.nextChange()), 'portfolio')
      continue
    }
    const until = Math.min(now + minuteMs, groups.nextChange(), endMs)
    allowance += perMs * (until - now)
    const allowed = Math.floor(allowance + 1e-9)
    const { count, counted, shares } = takeFrom(open, allowed, free)
    places.reserve(counted, until)
    // Unused allowance does not add up to a faster minute later.
    allowance = Math.min(1, allowance - count)
    const doneAt = Math.min(until, now + Math.ceil(count / perMs))
    const isSlowed = count < allowed && groups.isLeft()
    const limitedBy = isSlowed ? (count < ready ? 'portfolio' : 'hours') : 'number'
    yield { from: now, until, count, counted, shares, doneAt, limitedBy }
    now = until
  }
}

interface Group {
  readonly index: number
  readonly zones: readonly string[]
  left: number
  /** Remaining recipients that WhatsApp counts. */
  toCount: number
  isOpen: boolean
  /** End of that state, in milliseconds. */
  untilMs: number
}

/** Tracks when the hours of each group are open. */
function createGroups({ groups, hours }: DeliveryFacts) {
  const all = groups.map(
    ({ recipients, withOpenWindow = 0, zones }, index): Group => ({
      index,
      zones,
      left: recipients,
      toCount: Math.max(0, recipients - withOpenWindow),
      isOpen: false,
      untilMs: 0,
    }),
  )
  const waiting = () => all.filter(({ left }) => left > 0)
  return {
    isLeft: (): boolean => all.some(({ left }) => left > 0),
    /** Returns the groups whose messages may leave, in the order in which their hours end. */
    openAt(now: number): Group[] {
      for (const group of waiting()) {
        if (now < group.untilMs) continue
        const { waitsUntil, closesAt } = hoursIn(hours, group.zones, new Date(now))
        group.isOpen = waitsUntil === undefined
        group.untilMs = (waitsUntil ?? closesAt)?.getTime() ?? Number.POSITIVE_INFINITY
      }
      return waiting()
        .filter(({ isOpen }) => isOpen)
        .sort((left, right) => left.untilMs - right.untilMs || left.index - right.index)
    },
    /** Returns the time at which a group opens or closes next. */
    nextChange: (): number => Math.min(...waiting().map(({ untilMs }) => untilMs)),
  }
}

/**
 * Takes messages from the groups, from the first ones first.
 * @param free maximum number of messages that WhatsApp counts.
 */
function takeFrom(open: readonly Group[], allowed: number, free: number): Pick<Step, 'count' | 'counted' | 'shares'> {
  const shares: [number, number][] = []
  let [count, counted] = [0, 0]
  for (const group of open) {
    const [rest, places] = [allowed - count, free - counted]
    const part = Math.min(rest, group.left, places + group.left - group.toCount)
    if (part === 0) continue
    const inPlaces = Math.min(part, group.toCount, places)
    group.left -= part
    group.toCount -= inPlaces
    count += part
    counted += inPlaces
    shares.push([group.index, part])
  }
  return { count, counted, shares }
}

/** Places of the portfolio: taken for 24 hours. */
function createPlaces(portfolio: DeliveryFacts['portfolio']) {
  const reserved = (portfolio?.frees ?? [])
    .map(({ at, count }) => ({ at: at.getTime(), count }))
    .sort((left, right) => left.at - right.at)
  let [first, used] = [0, reserved.reduce((sum, { count }) => sum + count, 0)]
  const limit = portfolio?.limit ?? Number.POSITIVE_INFINITY
  return {
    freeAt(now: number): number {
      for (let next = reserved[first]; next && next.at <= now; next = reserved[first]) {
        used -= next.count
        first += 1
      }
      return Math.max(0, limit - used)
    },
    /** Returns the time at which some of the taken places become free. */
    nextAt: (): number | undefined => reserved[first]?.at,
    reserve(count: number, now: number): void {
      if (count === 0 || limit === Number.POSITIVE_INFINITY) return
      // No place that is taken now becomes free later than this, unless the clocks of two processes differ.
      const at = Math.max(now + dayMs, reserved.at(-1)?.at ?? 0)
      reserved.push({ at, count })
      used += count
    },
  }
}

/** Counts by days of a zone. */
function createDays(zone: string, startMs: number) {
  let day = dayOf(startMs)
  const days = [day]

  function dayOf(ms: number) {
    const { date } = wallTimeOf(new Date(ms), zone)
    const endMs = momentOf({ date: dateAfter(date, 1), time: '00:00' }, zone)?.getTime() ?? ms + dayMs
    return { date, endMs: Math.max(endMs, ms + 1), count: 0, spentMs: { number: 0, hours: 0, portfolio: 0 } }
  }

  return {
    add({ from, until, count, limitedBy }: Step): void {
      for (let ms = from; ms < until; ) {
        if (ms >= day.endMs) {
          day = dayOf(ms)
          days.push(day)
        }
        const pieceEnd = Math.min(until, day.endMs)
        // A minute belongs to the day in which it begins.
        if (ms === from) day.count += count
        day.spentMs[limitedBy] += pieceEnd - ms
        ms = pieceEnd
      }
    },
    all: (): DeliveryPlan['days'] =>
      days
        .filter(({ count }) => count > 0)
        .map(({ date, count, spentMs: { number, hours, portfolio } }) => ({
          date,
          count,
          limitedBy: portfolio > 0 ? ('portfolio' as const) : hours > number ? ('hours' as const) : ('number' as const),
        })),
  }
}
