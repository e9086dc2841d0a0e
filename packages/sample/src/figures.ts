import type { BotRecord } from '@parley/contracts/automation/bots'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { ActivityItem } from '@parley/contracts/platform/dashboard'
import { conversationIdOf } from './conversations.ts'
import { dayMs, facts, hourMs, minuteMs } from './facts.ts'
import type { SampleDataset } from './sample-dataset.ts'
import { shares } from './shares.ts'

type Source = Pick<SampleDataset, 'now' | 'contacts' | 'conversations' | 'campaigns' | 'bots' | 'traffic'>

/** Counters of one day of the story. */
export interface StoryDay {
  /** Days before today: 0 is today. */
  readonly daysAgo: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly received: number
  /** Times that a customer began to wait for an answer, and those of them that were answered within a day. */
  readonly begun: number
  readonly answered: number
}

/** Values that can be read at their moment only. */
export interface StorySnapshot {
  readonly daysAgo: number
  readonly activeCampaigns: number
  readonly activeContacts: { readonly in7: number; readonly in30: number; readonly in90: number }
}

/** Conversations of a bot, by day. */
export interface StoryBot {
  readonly id: string
  /** Oldest first, today last. */
  readonly days: readonly { readonly daysAgo: number; readonly taken: number; readonly resolved: number }[]
}

export interface StoryActivity extends Omit<ActivityItem, 'id' | 'at'> {
  readonly at: Date
}

/** Waits within 30 days: enough for the response rate to be exact to a tenth of a percent. */
const waitsInMonth = 1000
/** Days of the story's past for which such values are recorded. */
const snapshotDays = 91

/** Returns all counts of the story: each figure of the dashboard and the analytics is a sum of these. */
export function storyFigures(sampleDataset: Source) {
  return {
    days: storyDays(sampleDataset.traffic),
    bots: [...sampleDataset.bots.values()].map((bot) => storyBot(bot, sampleDataset.traffic)),
    snapshots: Array.from({ length: snapshotDays }, (_, daysAgo) => snapshotAt(sampleDataset, daysAgo)),
    activities: activitiesOf(sampleDataset),
  }
}
export type StoryFigures = ReturnType<typeof storyFigures>

function storyDays(traffic: Source['traffic']): StoryDay[] {
  const month = facts.periodDays
  const older = traffic.length - 2 * month
  const received = traffic.map((day) => day.received)
  const split = (count: number, from: number, to: number) => shares(count, received.slice(from, to))
  const begun = [
    ...split(Math.round((waitsInMonth * older * 0.9) / month), 0, older),
    ...split(waitsInMonth, older, older + month),
    ...split(waitsInMonth, older + month, traffic.length),
  ]
  const rate = facts.responseRate / 100
  const rateBefore = (facts.responseRate - facts.responseRateChangePoints) / 100
  const answered = [
    ...begun.slice(0, older).map((count) => Math.floor(count * 0.91)),
    ...shares(Math.round(waitsInMonth * rateBefore), begun.slice(older, older + month)),
    ...shares(Math.round(waitsInMonth * rate), begun.slice(older + month)),
  ]
  return traffic.map(({ sent, received: count }, index) => ({
    daysAgo: traffic.length - 1 - index,
    sent,
    delivered: Math.round(sent * 0.97),
    read: Math.round(sent * 0.78),
    failed: Math.round(sent * 0.012),
    received: count,
    begun: begun[index] ?? 0,
    answered: answered[index] ?? 0,
  }))
}

/** A bot's counters are those of its last 30 days; before, it had fewer. */
function storyBot({ id, conversations, resolved }: BotRecord, traffic: Source['traffic']): StoryBot {
  const month = facts.periodDays
  const older = traffic.length - 2 * month
  const received = traffic.map((day) => day.received)
  const byDay = (count: number) => {
    const before = Math.round(count / (1 + facts.botInteractionsChangePercent / 100))
    return [
      ...shares(Math.round((before * older * 0.9) / month), received.slice(0, older)),
      ...shares(before, received.slice(older, older + month)),
      ...shares(count, received.slice(older + month)),
    ]
  }
  const [taken, ended] = [byDay(conversations), byDay(resolved)]
  return {
    id,
    days: traffic.map((_, place) => ({
      daysAgo: traffic.length - 1 - place,
      taken: taken[place] ?? 0,
      resolved: ended[place] ?? 0,
    })),
  }
}

function snapshotAt({ now, contacts, campaigns }: Source, daysAgo: number): StorySnapshot {
  const growth = (1 + facts.activeContactsChangePercent / 100) ** (daysAgo / facts.periodDays)
  const active = (days: number) => Math.round(countActive(contacts, now.getTime() - days * dayMs) / growth)
  const at = new Date(now.getTime() - daysAgo * dayMs)
  return {
    daysAgo,
    activeCampaigns: activeAt(campaigns, at, now),
    activeContacts: { in7: active(7), in30: active(30), in90: active(90) },
  }
}

function countActive(contacts: Source['contacts'], since: number): number {
  let active = 0
  for (const { lastContactAt } of contacts.values())
    if (lastContactAt !== null && Date.parse(lastContactAt) >= since) active += 1
  return active
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

/** Returns the latest activity of conversations, campaigns and bots of the story, newest first. */
function activitiesOf({ now, contacts, conversations, campaigns, bots }: Source): StoryActivity[] {
  const [first, second, third] = [...contacts.values()].slice(0, 3)
  const chat = (contact: { id: string; name: string } | undefined) => {
    const stored = contact && conversations.get(conversationIdOf(contact.id))
    return stored && { kind: 'conversation' as const, id: stored.id, name: contact.name }
  }
  const campaign = (status: Campaign['status']) => {
    const found = [...campaigns.values()].find((entry) => entry.status === status)
    return found && { kind: 'campaign' as const, id: found.id, name: found.name }
  }
  const [orders, welcome] = [...bots.values()].slice(0, 2).map(({ id, name }) => ({ kind: 'bot' as const, id, name }))
  const activities = [
    { kind: 'message', text: 'New message received', object: chat(first), ago: 2 * minuteMs },
    { kind: 'campaign', text: 'Campaign completed', object: campaign('completed'), ago: 18 * minuteMs },
    { kind: 'error', text: 'Unable to deliver message', object: chat(second), ago: 47 * minuteMs },
    { kind: 'bot', text: 'Bot resolved a conversation', object: orders, ago: 95 * minuteMs },
    { kind: 'message', text: 'New message received', object: chat(third), ago: 190 * minuteMs },
    { kind: 'campaign', text: 'Campaign scheduled', object: campaign('scheduled'), ago: 7 * hourMs },
    { kind: 'bot', text: 'Bot handed over to a person', object: welcome, ago: 1_130 * minuteMs },
  ] as const
  return activities.flatMap(({ kind, text, object, ago }) =>
    object ? [{ kind, text, object, at: new Date(now.getTime() - ago) }] : [],
  )
}
