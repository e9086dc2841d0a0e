import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { templateContentSchema, templateSchema } from '@parley/contracts/templates/templates'
import { expect, test } from 'vitest'
import { contactsOf, countAudience, exclusionOf } from './audience.ts'
import { dayMs, daysIntoPeriod, facts } from './facts.ts'
import { createSampleDataset } from './sample-dataset.ts'

const now = new Date('2026-03-09T22:15:00.000Z')
const sampleDataset = createSampleDataset({ now })
const campaigns = [...sampleDataset.campaigns.values()]
const templates = [...sampleDataset.templates.values()]
const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0)

test('there are ten campaigns of four statuses, three of them active', () => {
  for (const campaign of campaigns) campaignSchema.parse(campaign)
  const count = (status: string) => campaigns.filter((campaign) => campaign.status === status).length
  expect(campaigns).toHaveLength(10)
  expect([count('active'), count('scheduled'), count('completed'), count('paused')]).toEqual([3, 2, 4, 1])
})

test('the two that the dashboard names are as it says', () => {
  const [sale, offer] = [sampleDataset.campaigns.get('campaign-1'), sampleDataset.campaigns.get('campaign-2')]
  expect([sale?.name, sale?.status, now.getTime() - Date.parse(sale?.completedAt ?? '')]).toEqual([
    'Summer sale',
    'completed',
    18 * 60_000,
  ])
  expect([offer?.name, offer?.status, now.getTime() - Date.parse(offer?.createdAt ?? '')]).toEqual([
    'Weekend offer',
    'scheduled',
    420 * 60_000,
  ])
  // Saturday 14 March, 10:00 in Kolkata.
  expect(offer?.scheduledFor).toBe('2026-03-14T04:30:00.000Z')
})

test.each([
  ['2026-03-14T04:29:00.000Z', '2026-03-14T04:30:00.000Z'],
  ['2026-03-14T04:30:00.000Z', '2026-03-21T04:30:00.000Z'],
  ['2026-03-13T20:00:00.000Z', '2026-03-14T04:30:00.000Z'],
])('told at %s the next Saturday begins at %s', (at, expected) => {
  const sampleDataset = createSampleDataset({ now: new Date(at), records: 1 })
  expect(sampleDataset.campaigns.get('campaign-2')?.scheduledFor).toBe(expected)
})

test.each([8_234, 1, 500, 100_000])('with %d contacts every audience and every funnel adds up', (records) => {
  const sampleDataset = createSampleDataset({ now, records })
  for (const { audience, counts, status } of sampleDataset.campaigns.values()) {
    const matched = contactsOf(audience, sampleDataset.contacts, now)
    const { reachable, ...count } = countAudience(matched)
    expect({ audience: counts.audience, excluded: counts.excluded }).toEqual(count)
    expect(counts.sent + counts.failed + counts.queued).toBe(reachable)
    expect(reachable + sum(Object.values(counts.excluded))).toBe(counts.audience)
    const funnel = [counts.sent, counts.delivered, counts.read, counts.clicked ?? 0]
    expect(funnel).toEqual(funnel.toSorted((left, right) => right - left))
    expect(counts.replied ?? 0).toBeLessThanOrEqual(counts.read)
    if (status === 'completed') expect(counts.queued).toBe(0)
    if (status === 'scheduled') expect(counts.sent).toBe(0)
  }
})

test.each([0, 1, 2, 3, 4, 5, 6])(
  'told %d days later, what campaigns sent is part of the traffic and of the credits',
  (later) => {
    const sampleDataset = createSampleDataset({ now: new Date(now.getTime() + later * dayMs) })
    const sent = (days: number) =>
      sum(
        [...sampleDataset.campaigns.values()]
          .filter(({ startedAt }) => startedAt && sampleDataset.now.getTime() - Date.parse(startedAt) <= days * dayMs)
          .map(({ counts }) => counts.sent),
      )
    for (let days = 1; days <= 30; days += 1) {
      const traffic = sum(sampleDataset.traffic.slice(-days - 1).map((day) => day.sent))
      expect(sent(days), `${days} days`).toBeLessThanOrEqual(traffic)
    }
    expect(sent(30)).toBeGreaterThan(5_000)
    expect(sent(30)).toBeLessThanOrEqual(facts.last30Days.sent)
    expect(sent(daysIntoPeriod)).toBeLessThanOrEqual(facts.creditsUsed)
  },
)

test('nothing lies in the future but schedules, and each campaign’s times follow each other', () => {
  for (const { createdAt, startedAt, completedAt, updatedAt, scheduledFor, status } of campaigns) {
    const times = [createdAt, startedAt, completedAt, now.toISOString()].filter((at) => at !== undefined)
    expect(times).toEqual(times.toSorted())
    expect(updatedAt <= now.toISOString()).toBe(true)
    expect(scheduledFor !== undefined && scheduledFor > now.toISOString()).toBe(status === 'scheduled')
  }
})

test('a contact is left out for one reason', () => {
  const [contact] = sampleDataset.contacts.values()
  if (!contact) throw new Error('There are no contacts.')
  expect(exclusionOf({ ...contact, blocked: true, optIn: { ...contact.optIn, marketing: 'out' } })).toBe('blocked')
  const { phone: _, ...withoutPhone } = contact
  expect(exclusionOf(withoutPhone)).toBe('unreachable')
})

test('templates are fit to send for review, and their counters add up', () => {
  expect(templates).toHaveLength(12)
  for (const template of templates) {
    templateSchema.parse(template)
    // The text of these is WhatsApp's own.
    if (template.category !== 'authentication') templateContentSchema.parse(template)
  }
  const count = (status: string) => templates.filter((template) => template.status === status).length
  expect([count('approved'), count('pending'), count('rejected')]).toEqual([8, 2, 2])
  expect(templates.filter(({ status }) => status === 'rejected').every(({ rejectionReason }) => rejectionReason)).toBe(
    true,
  )
  expect(new Set(templates.map(({ name, language }) => `${name} ${language}`)).size).toBe(12)
})

test('campaigns use approved templates and fill every placeholder', () => {
  for (const { templateId, templateName, variables, name } of campaigns) {
    const template = sampleDataset.templates.get(templateId)
    expect([template?.name, template?.status], name).toEqual([templateName, 'approved'])
    if (template) expect(Object.keys(variables).toSorted(), name).toEqual(templatePlaceholders(template).toSorted())
  }
})

test('campaigns are listed latest first, templates latest changed first', () => {
  const created = campaigns.map(({ createdAt }) => createdAt)
  expect(created).toEqual(created.toSorted().toReversed())
  const changed = templates.map(({ updatedAt }) => updatedAt)
  expect(changed).toEqual(changed.toSorted().toReversed())
})

test('an empty workspace has neither', () => {
  const empty = createSampleDataset({ now, records: 0 })
  expect(empty.campaigns.size + empty.templates.size).toBe(0)
})
