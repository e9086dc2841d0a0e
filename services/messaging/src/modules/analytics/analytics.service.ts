import { dateAfter } from '@parley/contracts/core/zoned-time'
import {
  type Analytics,
  type AnalyticsPeriod,
  type BotPerformance,
  type CampaignPerformance,
  type ChangedValue,
  type DayTraffic,
  periodDays,
} from '@parley/contracts/platform/analytics'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { CampaignsService } from '../campaigns/campaigns.service.ts'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import { botFigures, type Counts, idOfScope, placeOf, workspaceFigures } from './levels.ts'
import {
  changeOf,
  lastDayOf,
  localDays,
  periodOf,
  rateOf,
  sumByDay,
  todayIn,
  totalOf,
  utcDaysOf,
} from './local-days.ts'
import type { RollupsRepository } from './rollups.repository.ts'
import { sumSnapshots } from './snapshots.ts'
import type { WorkspaceFiguresRepository } from './workspace-figures.repository.ts'

const dayMs = 86_400_000
const weekDays = 7
const maxRows = 100
const snapshotFields = { '7d': 'in7', '30d': 'in30', '90d': 'in90' } as const satisfies Record<AnalyticsPeriod, string>

interface Dependencies {
  readonly rollups: Pick<RollupsRepository, 'read' | 'readAll'>
  readonly figures: Pick<WorkspaceFiguresRepository, 'snapshots'>
  readonly sendingHours: Pick<SendingHoursService, 'zoneOf'>
  readonly contactRecords: {
    /** Counts the contacts who were in touch since a moment; `undefined` where they are too many to count at each request. */
    readonly countActiveUpTo: (scope: WorkspaceScope, since: Date) => Promise<number | undefined>
  }
  readonly campaigns: Pick<CampaignsService, 'sentWithin'>
  readonly now?: Clock
}
type Question = Readonly<Pick<Analytics, 'period' | 'scope'>> & { readonly to?: string | undefined }

/** Analytics of a workspace, a number or a member: sums of counters over days of the workspace's zone, beside those of the days before. */
export function createAnalyticsService(deps: Dependencies) {
  const { rollups, figures, sendingHours, now = () => new Date() } = deps

  return async function readAnalytics(scope: WorkspaceScope, question: Question): Promise<Analytics> {
    const { period, scope: of } = question
    const asOf = now()
    const timeZone = await sendingHours.zoneOf(scope)
    const today = todayIn(timeZone, asOf)
    const to = lastDayOf(question.to, today)
    const length = periodDays[period]
    const days = localDays(timeZone, { from: dateAfter(to, 1 - 2 * length), to })
    const current = localDays(timeZone, { from: dateAfter(to, 1 - length), to })
    const utcDays = utcDaysOf(periodOf(days))
    const isWorkspace = of === workspaceFigures
    const [records, botRecords, campaigns, activeContacts] = await Promise.all([
      rollups.read(scope, { scope: of, ...utcDays }),
      isWorkspace ? rollups.readAll(scope, { of: botFigures, ...utcDays }) : [],
      of.startsWith('member:')
        ? []
        : deps.campaigns.sentWithin(scope, periodOf(current), isWorkspace ? undefined : idOfScope(of)),
      isWorkspace ? activeContactsOf(scope, { period, asOf, pastDay: to < today ? to : undefined }) : null,
    ])
    const counted = sumByDay(
      records.filter(({ part }) => part !== 'erased'),
      days,
    )
    const [before, within] = [counted.slice(0, length), counted.slice(length)]
    const { dates } = current
    const traffic = within.map((day, place) => trafficOf(day, dates[place] ?? to))
    return {
      asOf: asOf.toISOString(),
      timeZone,
      from: dates[0] ?? to,
      to,
      sampleIncluded: records.some(({ part }) => part === 'sample'),
      period,
      scope: of,
      stats: {
        totalMessages: compared(totalOf(within, 'sent', 'received'), totalOf(before, 'sent', 'received')),
        messagesSent: compared(totalOf(within, 'sent'), totalOf(before, 'sent')),
        activeContacts,
        botInteractions: of.startsWith('member:') ? null : compared(totalOf(within, 'taken'), totalOf(before, 'taken')),
      },
      week: traffic.slice(-weekDays),
      days: traffic,
      campaigns: bestCampaigns(campaigns),
      bots: botsOf(botRecords, current),
    }
  }

  async function activeContactsOf(
    scope: WorkspaceScope,
    { period, asOf, pastDay }: { period: AnalyticsPeriod; asOf: Date; pastDay: string | undefined },
  ): Promise<ChangedValue | null> {
    const length = periodDays[period]
    // A contact is known by their last message alone: of past days there is what the day after them began with.
    const day = pastDay === undefined ? placeOf(asOf).day : dateAfter(pastDay, 1)
    const [exact, found] = await Promise.all([
      pastDay === undefined && deps.contactRecords.countActiveUpTo(scope, new Date(asOf.getTime() - length * dayMs)),
      figures.snapshots(scope, { from: dateAfter(day, -length - 2), to: day }),
    ])
    const snapshots = sumSnapshots(found)
    const at = (day: string) => snapshots.findLast((one) => one.day <= day)?.activeContacts[snapshotFields[period]]
    const begun = at(day)
    if (pastDay !== undefined && begun === undefined) return null
    const isExact = exact !== false && exact !== undefined
    const value = isExact ? exact : (begun ?? 0)
    return { ...compared(value, at(dateAfter(day, -length))), ...(!isExact && { approximate: true }) }
  }
}

const compared = (value: number, before: number | undefined): ChangedValue => ({
  value,
  changePercent: before === undefined ? null : changeOf(value, before),
})

const trafficOf = (day: Counts, date: string): DayTraffic => ({
  date,
  sent: totalOf([day], 'sent'),
  received: totalOf([day], 'received'),
})

const bestCampaigns = (campaigns: readonly Omit<CampaignPerformance, 'openRate'>[]): CampaignPerformance[] =>
  campaigns
    .map((campaign) => ({ ...campaign, openRate: rateOf(campaign.opened, campaign.delivered) }))
    .sort((left, right) => (right.openRate ?? -1) - (left.openRate ?? -1))
    .slice(0, maxRows)

function botsOf(
  records: Awaited<ReturnType<RollupsRepository['readAll']>>,
  days: ReturnType<typeof localDays>,
): BotPerformance[] {
  return [...Map.groupBy(records, ({ scope }) => scope)]
    .map(([scope, own]) => {
      const counted = sumByDay(own, days)
      const [conversations, resolved] = [totalOf(counted, 'taken'), totalOf(counted, 'resolved')]
      return { id: idOfScope(scope), conversations, resolved, rate: rateOf(resolved, conversations) ?? 0 }
    })
    .filter(({ conversations }) => conversations > 0)
    .sort((left, right) => right.conversations - left.conversations)
    .slice(0, maxRows)
}
