import { memberSchema } from '@parley/contracts/account/members'
import { settingsSchema } from '@parley/contracts/account/settings'
import { analyticsSchema } from '@parley/contracts/platform/analytics'
import { webhookSchema } from '@parley/contracts/platform/webhooks'
import { expect, test } from 'vitest'
import { analyticsOf } from './analytics.ts'
import { segmentsOf } from './contacts.ts'
import { daysIntoPeriod } from './facts.ts'
import { createSampleDataset } from './sample-dataset.ts'
import { usageToldAt } from './usage-by-day.ts'

const now = new Date('2026-03-09T22:15:00.000Z')
const sampleDataset = createSampleDataset({ now })

test('webhooks fit the contract, are active or inactive, and their rates are shares of their calls', () => {
  const webhooks = [...sampleDataset.webhooks.values()].map((webhook) => webhookSchema.parse(webhook))
  expect(new Set(webhooks.map(({ status }) => status))).toEqual(new Set(['active', 'failed']))
  for (const { totalCalls, successRate, lastTriggeredAt } of webhooks) {
    const succeeded = Math.round((totalCalls * (successRate ?? 0)) / 100)
    expect(Math.round((succeeded / totalCalls) * 1000) / 10).toBe(successRate)
    expect(Date.parse(lastTriggeredAt ?? '')).toBeLessThan(now.getTime())
  }
})

test('members fit the contract and own the conversations that name one', () => {
  const members = new Map([...sampleDataset.members.values()].map((member) => [member.id, memberSchema.parse(member)]))
  const owners = [...sampleDataset.conversations.values()].flatMap(({ owner }) =>
    owner.kind === 'member' ? [owner] : [],
  )
  expect(owners.length).toBeGreaterThan(0)
  for (const { id, name } of owners) expect(members.get(id ?? '')?.name).toBe(name)
})

test('settings fit the contract', () => {
  const settings = settingsSchema.parse(sampleDataset.settings)
  expect(settings.notifications).toEqual({
    newMessages: true,
    broadcastCompletion: true,
    botFailures: true,
    weeklyReports: false,
  })
})

test('what is used day by day adds up to what the story says to have used', () => {
  const days = usageToldAt(now)
  expect(days).toHaveLength(daysIntoPeriod)
  const sumOf = (name: 'credits' | 'messages') => days.reduce((sum, day) => sum + day[name], 0)
  expect([sumOf('credits'), sumOf('messages')]).toEqual([6_580, 7_234])
  expect(days.at(-1)?.credits).toBe(410)
})

test('the analytics of 30 days are the figures of the story', () => {
  const { stats, days, week } = analyticsSchema.parse(analyticsOf(sampleDataset, '30d'))
  expect(stats.totalMessages).toEqual({ value: 12_486, changePercent: 12.5 })
  expect(stats.messagesSent.value).toBe(10_318)
  expect(stats.activeContacts.value).toBe(
    segmentsOf(sampleDataset.contacts.values(), now).find(({ id }) => id === 'active')?.count,
  )
  expect(stats.botInteractions.value).toBe(
    [...sampleDataset.bots.values()].reduce((all, bot) => all + bot.conversations, 0),
  )
  expect(days).toHaveLength(30)
  expect(week).toEqual(days.slice(-7))
})

test('another period counts its own days and compares them with as many before', () => {
  const sums = (from: number, to?: number) =>
    sampleDataset.traffic.slice(from, to).reduce((total, { sent, received }) => total + sent + received, 0)
  for (const [period, length] of [
    ['7d', 7],
    ['90d', 90],
  ] as const) {
    const { stats, days } = analyticsSchema.parse(analyticsOf(sampleDataset, period))
    expect(days).toHaveLength(length)
    expect(stats.totalMessages.value).toBe(sums(-length))
    expect(stats.totalMessages.changePercent).toBeCloseTo((sums(-length) / sums(-2 * length, -length) - 1) * 100, 1)
  }
})

test('campaigns stand by open rate and bots by conversations, with rates that follow from their counts', () => {
  const { campaigns, bots } = analyticsOf(sampleDataset, '90d')
  expect(campaigns.length).toBeGreaterThan(analyticsOf(sampleDataset, '7d').campaigns.length)
  expect(campaigns.map(({ openRate }) => openRate)).toEqual(
    campaigns.map(({ openRate }) => openRate).toSorted((left, right) => right - left),
  )
  for (const { id, delivered, opened, openRate } of campaigns) {
    expect(delivered).toBe(sampleDataset.campaigns.get(id)?.counts.delivered)
    expect(openRate).toBeCloseTo((opened / delivered) * 100, 0)
  }
  expect(bots.map(({ conversations }) => conversations)).toEqual(
    bots.map(({ conversations }) => conversations).toSorted((left, right) => right - left),
  )
  for (const { resolved, conversations, rate } of bots) expect(rate).toBeCloseTo((resolved / conversations) * 100, 0)
})

test('an empty workspace has sent nothing', () => {
  const empty = createSampleDataset({ now, records: 0 })
  expect(empty.webhooks.size).toBe(0)
  const { stats } = analyticsOf(empty, '30d')
  expect(Object.values(stats)).toEqual(Array(4).fill({ value: 0, changePercent: 0 }))
})
