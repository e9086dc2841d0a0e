import { dateAfter } from '@parley/contracts/core/zoned-time'
import { type Dashboard, dashboardDays, type Stat } from '@parley/contracts/platform/dashboard'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import type { AnswersRepository } from './answers.repository.ts'
import { createLatestActivity } from './latest-activity.ts'
import { answerLimitMs, type Counts, placeOf, workspaceFigures } from './levels.ts'
import { changeOf, localDays, periodOf, pointsOf, rateOf, sumByDay, todayIn, totalOf, utcDaysOf } from './local-days.ts'
import type { RollupsRepository } from './rollups.repository.ts'
import { sumSnapshots } from './snapshots.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

/** Days that a sparkline shows, today last. */
const shown = 14

type SharedDependencies = Parameters<typeof createLatestActivity>[0]
interface Dependencies extends SharedDependencies {
  readonly rollups: Pick<RollupsRepository, 'read'>
  readonly answers: Pick<AnswersRepository, 'countOpen'>
  readonly figures: Pick<WorkspaceFiguresRepository, 'allActivities' | 'snapshots'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly campaignRecords: { readonly countActive: (scope: WorkspaceScope) => Promise<number> }
  readonly now?: Clock
}

/** The dashboard of a workspace: sums of its counters over days of its zone, beside those of the days before. */
export function createDashboard(deps: Dependencies) {
  const { rollups, answers, figures, sendingHours, campaignRecords, now = () => new Date() } = deps
  const latestActivity = createLatestActivity(deps)

  return async function readDashboard(scope: WorkspaceScope): Promise<Dashboard> {
    const asOf = now()
    const timeZone = await sendingHours.zoneOf(scope)
    const today = todayIn(timeZone, asOf)
    // Snapshots are taken as days in UTC begin.
    const utcToday = placeOf(asOf).day
    const days = localDays(timeZone, { from: dateAfter(today, 1 - 2 * dashboardDays), to: today })
    const young = youngWaiting(days.starts.at(-2) ?? asOf, asOf)
    const [records, active, snapshots, activity, youngToday, youngBefore] = await Promise.all([
      rollups.read(scope, { scope: workspaceFigures, ...utcDaysOf(periodOf(days)) }),
      campaignRecords.countActive(scope),
      figures.snapshots(scope, { from: dateAfter(utcToday, -shown - 30), to: utcToday }),
      latestActivity(scope),
      answers.countOpen(scope, young.today),
      answers.countOpen(scope, young.before),
    ])
    const counted = sumByDay(
      records.filter(({ part }) => part !== 'erased'),
      days,
    )
    const [before, current] = [counted.slice(0, dashboardDays), counted.slice(dashboardDays)]
    const dates = days.dates.slice(-shown)
    const open = [...dates.map(() => 0).slice(2), youngBefore, youngToday]
    return {
      asOf: asOf.toISOString(),
      timeZone,
      from: days.dates[dashboardDays] ?? today,
      to: today,
      sampleIncluded: records.some(({ part }) => part === 'sample'),
      stats: {
        totalMessages: totalMessages(current, before, dates),
        activeCampaigns: activeCampaigns(active, sumSnapshots(snapshots), { dates, utcToday }),
        responseRate: responseRate(current, before, { dates, open }),
      },
      activity,
    }
  }
}

/** Customers who began to wait within a day may still be answered in time: they count for nothing yet. */
function youngWaiting(midnight: Date, now: Date) {
  const from = new Date(now.getTime() - answerLimitMs)
  const end = new Date(now.getTime() + answerLimitMs)
  return { today: { from: later(midnight, from), to: end }, before: { from, to: later(midnight, from) } }
}
const later = (one: Date, other: Date): Date => (one > other ? one : other)

const pointsAt = (dates: readonly string[], values: readonly (number | null | undefined)[]): Stat['series']['points'] =>
  dates.flatMap((date, place) => {
    const value = values[place]
    return value === null || value === undefined ? [] : [{ at: `${date}T00:00:00Z`, value }]
  })

function totalMessages(current: readonly Counts[], before: readonly Counts[], dates: readonly string[]): Stat {
  const value = totalOf(current, 'sent', 'received')
  const values = current.slice(-dates.length).map((day) => totalOf([day], 'sent', 'received'))
  return {
    value,
    trend: {
      change: changeOf(value, totalOf(before, 'sent', 'received')),
      unit: 'percent',
      since: 'last_month',
    },
    series: { metric: 'totalMessages', bucket: 'day', points: pointsAt(dates, values) },
  }
}

function activeCampaigns(
  value: number,
  snapshots: readonly { readonly day: string; readonly activeCampaigns: number }[],
  { dates, utcToday }: { readonly dates: readonly string[]; readonly utcToday: string },
): Stat {
  // A day without a snapshot is as the one before.
  const ago = (days: number) => snapshots.findLast(({ day }) => day <= dateAfter(utcToday, -days))?.activeCampaigns
  const before = ago(7)
  const values = [...dates.slice(0, -1).map((_, place) => ago(dates.length - 1 - place)), value]
  return {
    value,
    trend: { change: before === undefined ? null : value - before, unit: 'count', since: 'last_week' },
    series: { metric: 'activeCampaigns', bucket: 'day', points: pointsAt(dates, values) },
  }
}

/** @param shown.open counts, for each of the dates, who still waits and may be answered in time. */
function responseRate(
  current: readonly Counts[],
  before: readonly Counts[],
  { dates, open }: { readonly dates: readonly string[]; readonly open: readonly number[] },
): Stat {
  const young = open.reduce((sum, count) => sum + count, 0)
  const rate = (days: readonly Counts[], waiting = 0) =>
    rateOf(totalOf(days, 'answered'), totalOf(days, 'begun') - waiting)
  const value = rate(current, young)
  const values = current.slice(-dates.length).map((day, place) => rate([day], open[place]))
  return {
    value,
    trend: { change: pointsOf(value, rate(before)), unit: 'points', since: 'last_month' },
    series: { metric: 'responseRate', bucket: 'day', points: pointsAt(dates, values) },
  }
}
