import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageStatuses } from '../inbox/messages.ts'
import { eventSchema, type RecordedEvent } from './events.ts'
import { publicEventSources, publicEventsOf } from './public-events-of.ts'

const at = '2026-04-02T09:15:00.000Z'
const later = '2026-04-02T09:15:07.000Z'
const record = (type: RecordedEvent['type'], data: object) =>
  eventSchema.parse({
    id: 'e1',
    seq: 7,
    workspaceId: 'w1',
    type,
    at,
    recordedAt: later,
    by: { kind: 'system' },
    conversationId: 'c1',
    contactId: 'p1',
    data,
  }) as RecordedEvent
const message = (data: object) =>
  publicEventsOf(
    record('message.changed', {
      messageId: 'm1',
      conversationId: 'c1',
      direction: 'outbound',
      status: 'sent',
      ...data,
    }),
  )
const moved = (from: string | null, to: string) => message({ status: to, moved: { from, to, at: later } })

test.each([
  [null, 'sent', ['message.sent']],
  ['queued', 'sent', ['message.sent']],
  ['queued', 'delivered', ['message.sent implied', 'message.delivered']],
  ['queued', 'read', ['message.sent implied', 'message.delivered implied', 'message.read']],
  ['sent', 'read', ['message.delivered implied', 'message.read']],
  ['delivered', 'read', ['message.read']],
  ['sent', 'failed', ['message.failed']],
  ['failed', 'delivered', ['message.delivered']],
  ['failed', 'queued', []],
])('a message that moves from %s to %s is told as %j', (from, to, expected) => {
  const events = moved(from, to).map(({ type, subject }) =>
    subject.kind === 'message' && subject.step?.implied ? `${type} implied` : type,
  )
  expect(events).toEqual(expected)
})

test('a status that a message has already had tells nothing, and neither does a note', () => {
  expect(message({ status: 'delivered' })).toEqual([])
  expect(message({ direction: 'note', created: true, status: null })).toEqual([])
})

test('a new message of a customer is received once; a later change of it is nothing', () => {
  const [received, ...others] = message({ direction: 'inbound', status: null, created: true })
  expect(others).toEqual([])
  expect(received).toMatchObject({
    id: 'evt_e1',
    type: 'message.received',
    sequence: 7,
    timestamp: at,
    conversationId: 'c1',
  })
  expect(message({ direction: 'inbound', status: null })).toEqual([])
})

test('the events of one have ids of their own, in the order of the steps', () => {
  expect(moved('queued', 'read').map(({ id, n }) => [id, n])).toEqual([
    ['evt_e1', 0],
    ['evt_e1.1', 1],
    ['evt_e1.2', 2],
  ])
})

test('numbers, templates and campaigns tell field by field what has changed', () => {
  const number = record('number.changed', {
    numberId: 'n1',
    removed: false,
    became: { quality: { before: 'high', after: 'low' }, messagingLimit: { before: 250, after: null } },
  })
  expect(publicEventsOf(number).map(({ subject }) => subject)).toEqual([
    { kind: 'number', id: 'n1', field: 'quality', previous: 'high', current: 'low' },
    { kind: 'number', id: 'n1', field: 'messaging_limit', previous: 250, current: null },
  ])
  const template = record('template.changed', { templateId: 't1', became: 'approved' })
  expect(publicEventsOf(template)).toMatchObject([{ type: 'status.update', subject: { current: 'approved' } }])
  const campaign = record('campaign.changed', { campaignId: 'k1', became: { before: 'active', after: 'paused' } })
  expect(publicEventsOf(campaign)).toMatchObject([{ subject: { previous: 'active', current: 'paused' } }])
  expect(publicEventsOf(record('campaign.changed', { campaignId: 'k1' }))).toEqual([])
})

test('accounts, plans and webhooks tell what they have come to', () => {
  expect(publicEventsOf(record('account.changed', { accountEventId: 'a1' }))).toMatchObject([
    { type: 'account.update' },
  ])
  expect(publicEventsOf(record('usage.changed', { reached: 90 }))).toMatchObject([{ subject: { change: 'reached' } }])
  expect(publicEventsOf(record('usage.changed', {}))).toEqual([])
  const failing = record('webhook.changed', { webhookId: 'h1', became: 'failing', since: at, deliveries: 3 })
  expect(publicEventsOf(failing)).toMatchObject([
    { type: 'webhook.error', subject: { state: 'failing', deliveries: 3 } },
  ])
  expect(publicEventsOf(record('webhook.changed', { webhookId: 'h1' }))).toEqual([])
})

test('whatever steps a message takes, each is told at most once on the way up, and only sources tell anything', () => {
  const status = fc.constantFrom(...messageStatuses)
  fc.assert(
    fc.property(fc.option(status), status, (from, to) => {
      const events = moved(from, to)
      expect(new Set(events.map(({ type }) => type)).size).toBe(events.length)
      expect(events.length).toBeLessThanOrEqual(3)
    }),
  )
  expect(publicEventSources).not.toContain('contact.changed')
  expect(publicEventsOf(record('contacts.changed', { count: 1 }))).toEqual([])
})
