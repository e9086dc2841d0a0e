import { countOf, dayOf } from '@parley/contracts/core/english-format'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { fullerMeter, ownMeter, type Usage } from '@parley/contracts/usage/usage'
import type { AddNotifications } from '../../../platform/notification.ts'
import type { Allowance, Meters } from './allowance.ts'

type NewNotification = Parameters<AddNotifications>[1][number]

const dayMs = 86_400_000
/** Percent used below which no one needs to hear that it may not be enough. */
const foreseenFrom = 50
const steps = [100, 90, 80] as const
type Step = (typeof steps)[number] | 0

/** Returns the step that members are notified of: 0, 80, 90 or 100 percent. */
export const stepOf = (percent: number): Step => steps.find((step) => percent >= step) ?? 0

/** Time at which a meter will be used up. */
export interface Forecast {
  readonly name: keyof Meters
  readonly at: Date
}

/** Forecasts which meter is used up first, before its period ends, if every day takes as much. */
export function forecastOf(
  usage: Pick<Usage, keyof Meters | 'sample'>,
  { perDay, now, ends }: { perDay: Meters; now: Date; ends: Date },
): Forecast | undefined {
  const all = (['messages', 'credits'] as const).flatMap((name) => {
    const { used, limit } = ownMeter(usage, name)
    if (used >= limit || used < (limit * foreseenFrom) / 100 || perDay[name] === 0) return []
    return { name, at: new Date(now.getTime() + ((limit - used) / perDay[name]) * dayMs) }
  })
  return all.filter(({ at }) => at < ends).sort((left, right) => left.at.getTime() - right.at.getTime())[0]
}

/** Returns the notices to owners and admins, each step once in a period and for a plan: raising it again changes nothing. */
export function noticesOf(
  usage: Omit<Usage, 'choosable'>,
  { period, zone, sampleToldAt }: Pick<Allowance, 'period' | 'zone' | 'sampleToldAt'>,
  { forecast, at }: { forecast: Forecast | undefined; at: Date },
): NewNotification[] {
  if (!usage.limited || usage.ended) return []
  const about = {
    category: 'billing',
    severity: 'warning',
    object: { kind: 'billing', id: 'plan' },
    action: 'See the plan',
    at,
    ...(sampleToldAt && { sample: true as const }),
  } as const
  const keyOf = (what: string) => `usage/${period}/${usage.plan}/${what}`
  const { name, percent, used, limit } = fullerMeter(usage)
  const ends = `${usage.renews ? 'renewed' : 'the trial ends'} on ${dayOf(usage.to)}`
  const notices: NewNotification[] = []
  const step = stepOf(percent)
  if (step > 0)
    notices.push({
      ...about,
      key: keyOf(String(step)),
      title:
        percent >= 100
          ? `All ${name} in the plan are used up`
          : `${Math.floor(percent)}% of the plan’s ${name} are used`,
      body: `${countOf(used)} of ${countOf(limit)} ${name} of ${usage.plan}; ${ends}. Once all are used, no campaign can start. Replies to customers are always sent.`,
    })
  if (forecast)
    notices.push({
      ...about,
      key: keyOf('forecast'),
      title: `The plan’s ${forecast.name} will not last`,
      body: `At the pace of the last 7 days all ${countOf(usage[forecast.name].limit)} ${forecast.name} of ${usage.plan} are used around ${dayOf(wallTimeOf(forecast.at, zone).date)}; ${ends}. Once all are used, no campaign can start.`,
    })
  return notices
}
