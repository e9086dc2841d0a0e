import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { ActivityItem, Dashboard, Stat } from '@parley/contracts/platform/dashboard'
import { dayMs, facts, hourMs, minuteMs } from './facts.ts'
import type { SampleDataset } from './sample-dataset.ts'
import { usageByDay } from './usage-by-day.ts'

type Source = Pick<SampleDataset, 'now' | 'contacts' | 'campaigns' | 'bots' | 'traffic'>

/** Days that a sparkline shows, today last. */
const shown = 14

/** The response rate of each of those days but today, in percent. */
const earlierRates = [90.8, 91.4, 91.1, 92, 91.7, 92.4, 92.9, 92.2, 93.1, 93.4, 92.8, 93.7, 93.9]

/** Returns the dashboard of the sample data at `now`, which may be later than the time it was made for. */
export function dashboardOf(sampleDataset: Source, now: Date): Dashboard {
  const empty = sampleDataset.contacts.size === 0
  const used = empty ? 0 : facts.creditsUsed
  const resetsAt = new Date(now.getTime() + facts.resetsInDays * dayMs).toISOString()
  return {
    stats: empty ? emptyStats() : statsOf(sampleDataset, now),
    credits: { used, limit: facts.creditsLimit, resetsAt },
    activity: empty ? [] : activityOf(sampleDataset, now),
  }
}

function statsOf(sampleDataset: Source, now: Date): Dashboard['stats'] {
  const { total, changePercent } = facts.last30Days
  const today = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs)
  const series = (metric: string, values: readonly number[]): Stat['series'] => ({
    metric,
    bucket: 'day',
    points: values.map((value, index) => ({ at: today(values.length - 1 - index).toISOString(), value })),
  })
  const active = Array.from({ length: shown }, (_, index) =>
    activeAt(sampleDataset.campaigns, today(shown - 1 - index), now),
  )
  const activeNow = active.at(-1) ?? 0
  const messages = sampleDataset.traffic.slice(-shown).map(({ sent, received }) => sent + received)
  return {
    totalMessages: {
      value: total,
      trend: { change: changePercent, unit: 'percent', since: 'last_month' },
      series: series('totalMessages', messages),
    },
    activeCampaigns: {
      value: activeNow,
      trend: { change: activeNow - (active.at(-8) ?? 0), unit: 'count', since: 'last_week' },
      series: series('activeCampaigns', active),
    },
    creditsRemaining: {
      value: facts.creditsLimit - facts.creditsUsed,
      trend: { change: -facts.creditsUsedToday, unit: 'count', since: 'yesterday' },
      series: series('creditsRemaining', creditsLeft(sampleDataset)),
    },
    responseRate: {
      value: facts.responseRate,
      trend: { change: facts.responseRateChangePoints, unit: 'points', since: 'last_month' },
      series: series('responseRate', [...earlierRates, facts.responseRate]),
    },
  }
}

/** Campaigns that were sending then. A paused one was sending until it was paused. */
function activeAt(campaigns: Source['campaigns'], at: Date, now: Date): number {
  const time = at.getTime()
  const endOf = ({ status, completedAt, updatedAt }: Campaign) =>
    status === 'active' ? now.getTime() + 1 : Date.parse(status === 'paused' ? updatedAt : (completedAt ?? updatedAt))
  return [...campaigns.values()].filter(
    (campaign) => campaign.startedAt && Date.parse(campaign.startedAt) <= time && time < endOf(campaign),
  ).length
}

/** Credits left at the end of each day: they go as messages are sent. */
function creditsLeft({ traffic }: Source): number[] {
  let left: number = facts.creditsLimit
  return usageByDay(traffic)
    .map(({ credits }) => {
      left -= credits
      return left
    })
    .slice(-shown)
}

/** Returns the latest activity of contacts, campaigns and bots in the sample data. */
function activityOf({ contacts, campaigns, bots }: Source, now: Date): ActivityItem[] {
  const [first, second, third] = [...contacts.values()].slice(0, 3)
  const campaign = (status: Campaign['status']) => [...campaigns.values()].find((entry) => entry.status === status)
  const [orders, welcome] = [...bots.values()].slice(0, 2)
  const activities = [
    { kind: 'message', text: 'New message received', object: first, ago: 2 * minuteMs },
    { kind: 'campaign', text: 'Campaign completed', object: campaign('completed'), ago: 18 * minuteMs },
    { kind: 'error', text: 'Unable to deliver message', object: second, ago: 47 * minuteMs },
    { kind: 'bot', text: 'Bot resolved a conversation', object: orders, ago: 95 * minuteMs },
    { kind: 'message', text: 'New message received', object: third, ago: 190 * minuteMs },
    { kind: 'campaign', text: 'Campaign scheduled', object: campaign('scheduled'), ago: 7 * hourMs },
    { kind: 'bot', text: 'Bot handed over to a person', object: welcome, ago: 1_130 * minuteMs },
  ] as const
  return activities.flatMap(({ kind, text, object, ago }, index) =>
    object
      ? [
          {
            id: `activity-${index + 1}`,
            kind,
            text,
            object: { id: object.id, name: object.name },
            at: new Date(now.getTime() - ago).toISOString(),
          },
        ]
      : [],
  )
}

function emptyStats(): Dashboard['stats'] {
  const stat = (metric: string, value: number): Stat => ({
    value,
    trend: { change: 0, unit: 'count', since: 'yesterday' },
    series: { metric, bucket: 'day', points: [] },
  })
  return {
    totalMessages: stat('totalMessages', 0),
    activeCampaigns: stat('activeCampaigns', 0),
    creditsRemaining: stat('creditsRemaining', facts.creditsLimit),
    responseRate: stat('responseRate', 0),
  }
}
