import type {
  Analytics,
  AnalyticsPeriod,
  BotPerformance,
  CampaignPerformance,
  DayTraffic,
} from '@parley/contracts/platform/analytics'
import { dayMs, facts } from './facts.ts'
import type { SampleDataset } from './sample-dataset.ts'

type Source = Pick<SampleDataset, 'now' | 'contacts' | 'traffic' | 'bots' | 'campaigns'>

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const satisfies Record<AnalyticsPeriod, number>

/** Returns the analytics of a period that ends now: every figure is counted from the sample records. */
export function analyticsOf(sampleDataset: Source, period: AnalyticsPeriod): Analytics {
  const length = daysOf[period]
  const days = sampleDataset.traffic.slice(-length)
  const before = sampleDataset.traffic.slice(-2 * length, -length)
  const bots = botsOf(sampleDataset, length)
  const activeContacts = countActive(sampleDataset, length)
  const botInteractions = sum(bots.map(({ conversations }) => conversations))
  const overTime = (value: number, percentPerMonth: number) => ({
    value,
    changePercent: value === 0 ? 0 : round(((1 + percentPerMonth / 100) ** (length / facts.periodDays) - 1) * 100),
  })
  return {
    period,
    from: days[0]?.at ?? sampleDataset.now.toISOString(),
    to: sampleDataset.now.toISOString(),
    stats: {
      totalMessages: compared(total(days), total(before)),
      messagesSent: compared(sum(days.map(({ sent }) => sent)), sum(before.map(({ sent }) => sent))),
      activeContacts: overTime(activeContacts, facts.activeContactsChangePercent),
      botInteractions: overTime(botInteractions, facts.botInteractionsChangePercent),
    },
    week: sampleDataset.traffic.slice(-7),
    days,
    campaigns: campaignsOf(sampleDataset, length),
    bots,
  }
}

const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0)
const total = (days: readonly DayTraffic[]) => sum(days.map(({ sent, received }) => sent + received))
const round = (value: number) => Math.round(value * 10) / 10
const rate = (part: number, whole: number) => (whole === 0 ? 0 : round((part / whole) * 100))
const compared = (value: number, earlier: number) => ({
  value,
  changePercent: earlier === 0 ? 0 : round((value / earlier - 1) * 100),
})

function countActive({ now, contacts }: Source, days: number): number {
  const since = now.getTime() - days * dayMs
  let active = 0
  for (const { lastContactAt } of contacts.values())
    if (lastContactAt !== null && Date.parse(lastContactAt) >= since) active += 1
  return active
}

/** Campaigns that sent something in the period, the best opened first. */
function campaignsOf({ now, campaigns }: Source, days: number): CampaignPerformance[] {
  const since = now.getTime() - days * dayMs
  return [...campaigns.values()]
    .filter(
      ({ startedAt, completedAt, counts }) =>
        counts.delivered > 0 && startedAt && Date.parse(completedAt ?? now.toISOString()) >= since,
    )
    .map(({ id, name, counts }) => ({
      id,
      name,
      delivered: counts.delivered,
      opened: counts.read,
      clicked: counts.clicked ?? 0,
      openRate: rate(counts.read, counts.delivered),
    }))
    .toSorted((left, right) => right.openRate - left.openRate)
    .slice(0, 100)
}

/** A bot's counters are those of its last 30 days; another period has its share of them by the messages received. */
function botsOf({ bots, traffic }: Source, days: number): BotPerformance[] {
  const received = (count: number) => sum(traffic.slice(-count).map((day) => day.received))
  const month = received(facts.periodDays)
  const share = month === 0 ? 1 : received(days) / month
  return [...bots.values()]
    .map(({ id, name, conversations, resolved }) => {
      const shared = { conversations: Math.round(conversations * share), resolved: Math.round(resolved * share) }
      return { id, name, ...shared, rate: rate(shared.resolved, shared.conversations) }
    })
    .toSorted((left, right) => right.conversations - left.conversations)
    .slice(0, 100)
}
