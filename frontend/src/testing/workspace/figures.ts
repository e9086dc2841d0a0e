import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { dateAfter, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { type Dashboard, dashboardApi, dashboardDays, type Stat } from '@parley/contracts/platform/dashboard'
import { type StoryDay, storyFigures } from '@parley/sample/figures'
import { answer } from '../answer.ts'
import type { Workspace } from './workspace.ts'

const shown = 14

/** Computes the dashboard of a workspace from the counts of its story. */
export function figureHandlers(workspace: Workspace) {
  return [answer(dashboardApi.read, () => dashboardOf(workspace, new Date()))]
}

const sum = (days: readonly StoryDay[], ...names: readonly Exclude<keyof StoryDay, 'daysAgo'>[]) =>
  days.reduce((total, day) => total + names.reduce((own, name) => own + day[name], 0), 0)
const round = (value: number) => Math.round(value * 10) / 10
const rateOf = (days: readonly StoryDay[]) =>
  sum(days, 'begun') === 0 ? null : round((100 * sum(days, 'answered')) / sum(days, 'begun'))

/** Returns the dashboard as of a moment, which may be later than the reference moment of the story. */
function dashboardOf(workspace: Workspace, at: Date): Dashboard {
  const isEmpty = workspace.contacts.size === 0
  const { days, snapshots, activities } = storyFigures(workspace)
  const [current, before] = [days.slice(-dashboardDays), days.slice(-2 * dashboardDays, -dashboardDays)]
  const today = wallTimeOf(at, defaultTimeZone).date
  const series = (metric: string, valueAt: (daysAgo: number) => number | null): Stat['series'] => ({
    metric,
    bucket: 'day',
    points: Array.from({ length: shown }, (_, index) => shown - 1 - index).flatMap((daysAgo) => {
      const value = valueAt(daysAgo)
      return value === null ? [] : [{ at: `${dateAfter(today, -daysAgo)}T00:00:00Z`, value }]
    }),
  })
  const on = (daysAgo: number) => days.filter((day) => day.daysAgo === daysAgo)
  const active = (daysAgo: number) => snapshots[daysAgo]?.activeCampaigns ?? 0
  const [total, totalBefore] = [current, before].map((some) => sum(some, 'sent', 'received'))
  const [rate, rateBefore] = [current, before].map(rateOf)
  return {
    asOf: at.toISOString(),
    timeZone: defaultTimeZone,
    from: dateAfter(today, 1 - dashboardDays),
    to: today,
    sampleIncluded: !isEmpty,
    stats: {
      totalMessages: {
        value: total ?? 0,
        trend: {
          change: totalBefore ? round(((total ?? 0) / totalBefore - 1) * 100) : 0,
          unit: 'percent',
          since: 'last_month',
        },
        series: series('totalMessages', (daysAgo) => sum(on(daysAgo), 'sent', 'received')),
      },
      activeCampaigns: {
        value: active(0),
        trend: { change: active(0) - active(7), unit: 'count', since: 'last_week' },
        series: series('activeCampaigns', active),
      },
      responseRate: {
        value: isEmpty ? null : (rate ?? null),
        trend: {
          change: isEmpty ? null : round((rate ?? 0) - (rateBefore ?? 0)),
          unit: 'points',
          since: 'last_month',
        },
        series: series('responseRate', (daysAgo) => (isEmpty ? null : rateOf(on(daysAgo)))),
      },
    },
    activity: isEmpty
      ? []
      : activities.map(({ at: then, ...item }, index) => ({
          ...item,
          id: `activity-${index + 1}`,
          at: new Date(then.getTime() + at.getTime() - workspace.now.getTime()).toISOString(),
        })),
  }
}
