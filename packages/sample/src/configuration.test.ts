import { memberSchema } from '@parley/contracts/account/members'
import { webhookSchema } from '@parley/contracts/platform/webhooks'
import { expect, test } from 'vitest'
import { daysIntoPeriod } from './facts.ts'
import { storyFigures } from './figures.ts'
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

test('what is used day by day adds up to what the story says to have used', () => {
  const days = usageToldAt(now)
  expect(days).toHaveLength(daysIntoPeriod)
  const sumOf = (name: 'credits' | 'messages') => days.reduce((sum, day) => sum + day[name], 0)
  expect([sumOf('credits'), sumOf('messages')]).toEqual([6_580, 7_234])
  expect(days.at(-1)?.credits).toBe(410)
})

test('what bots have taken over in 30 days are the conversations of their cards, more than in the 30 before', () => {
  const { bots, days } = storyFigures(sampleDataset)
  const within = (from: number) =>
    bots.flatMap((bot) => bot.days).filter(({ daysAgo }) => daysAgo >= from && daysAgo < from + 30)
  const taken = (from: number) => within(from).reduce((sum, day) => sum + day.taken, 0)
  for (const { id, days: own } of bots) {
    const month = own.filter(({ daysAgo }) => daysAgo < 30)
    const { conversations, resolved } = sampleDataset.bots.get(id) ?? {}
    expect(month.reduce((sum, day) => sum + day.taken, 0)).toBe(conversations)
    expect(month.reduce((sum, day) => sum + day.resolved, 0)).toBe(resolved)
  }
  expect(Math.round((taken(0) / taken(30) - 1) * 1000) / 10).toBe(18.6)
  expect(days).toHaveLength(180)
})

test('an empty workspace has sent nothing', () => {
  const empty = createSampleDataset({ now, records: 0 })
  expect(empty.webhooks.size).toBe(0)
  const { days, bots, activities } = storyFigures(empty)
  expect(days.reduce((sum, { sent, received }) => sum + sent + received, 0)).toBe(0)
  expect([bots, activities]).toEqual([[], []])
})
