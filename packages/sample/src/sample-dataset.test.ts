import { numberSchema } from '@parley/contracts/channel/numbers'
import { contactSchema } from '@parley/contracts/contacts/contacts'
import { parsePhone } from '@parley/phone'
import { expect, test } from 'vitest'
import { segmentsOf } from './contacts.ts'
import { daysIntoPeriod, facts } from './facts.ts'
import { createSampleDataset } from './sample-dataset.ts'
import { shares } from './shares.ts'

const now = new Date('2026-03-09T22:15:00.000Z')
const sampleDataset = createSampleDataset({ now })
const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0)

test('shares lose nothing to rounding', () => {
  expect(shares(10, [1, 1, 1])).toEqual([4, 3, 3])
  expect(sum(shares(7_234, [0.3, 0.21, 0.49]))).toBe(7_234)
})

test('there are 8,234 contacts, each fit for the contract and with a number of its own', () => {
  const contacts = [...sampleDataset.contacts.values()]
  expect(contacts).toHaveLength(facts.contacts)
  for (const contact of contacts) contactSchema.parse(contact)
  expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(contacts.length)
  for (const { phone } of contacts.slice(0, 500)) expect(parsePhone(phone ?? '')?.country).toBe('IN')
})

test('contacts are ordered by their last contact, and nothing lies in the future', () => {
  const times = [...sampleDataset.contacts.values()].map(({ lastContactAt }) => lastContactAt ?? '')
  expect(times).toEqual(times.toSorted().toReversed())
  expect(times[0]?.localeCompare(now.toISOString())).toBe(-1)
})

test('segments count what they say', () => {
  const segments = segmentsOf(sampleDataset.contacts.values(), now)
  expect(segments.map(({ name }) => name)).toEqual(['All Contacts', 'VIP', 'Leads', 'Active'])
  expect(segments[0]?.count).toBe(facts.contacts)
  for (const { count } of segments.slice(1)) expect(count).toBeGreaterThan(0)
})

test('the numbers’ messages of this month are the messages sent', () => {
  const numbers = [...sampleDataset.numbers.values()].map((number) => numberSchema.parse(number))
  expect(sum(numbers.map(({ messagesThisMonth }) => messagesThisMonth))).toBe(facts.messagesSent)
})

test('traffic adds up to the month, the period and the growth', () => {
  const sent = (days: number) => sum(sampleDataset.traffic.slice(-days).map((day) => day.sent))
  const all = (from: number, to?: number) =>
    sum(sampleDataset.traffic.slice(from, to).map((day) => day.sent + day.received))
  expect(sent(daysIntoPeriod)).toBe(facts.messagesSent)
  expect(sent(30)).toBe(facts.last30Days.sent)
  expect(all(-30)).toBe(facts.last30Days.total)
  expect((all(-30) / all(-60, -30) - 1) * 100).toBeCloseTo(facts.last30Days.changePercent, 1)
})

test('the story is the same each time it is told for a day, and empty on demand', () => {
  expect([...createSampleDataset({ now }).contacts.values()].slice(0, 50)).toEqual(
    [...sampleDataset.contacts.values()].slice(0, 50),
  )
  const empty = createSampleDataset({ now, records: 0 })
  expect(empty.contacts.size + empty.numbers.size + sum(empty.traffic.map((day) => day.sent))).toBe(0)
})
