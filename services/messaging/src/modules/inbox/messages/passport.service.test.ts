import { expect, test } from 'vitest'
import { chargeOf } from '../../usage/rate-cards/rate-cards.service.ts'
import type { MessageRecord } from './messages.model.ts'
import { createPassports } from './passport.service.ts'

const at = new Date('2026-03-09T10:00:00.000Z')
const campaignId = 'c'.repeat(24)
const sent: MessageRecord = {
  id: 'm1',
  workspaceId: 'w',
  conversationId: 'v',
  numberId: 'n',
  contactId: 'p',
  direction: 'outbound',
  content: { type: 'text', text: 'Hi' },
  status: 'sent',
  statusAt: { sent: at },
  version: 1,
  cause: { kind: 'campaign', id: campaignId },
  sentAt: at,
  createdAt: at,
  updatedAt: at,
}
const card = {
  id: 'k',
  workspaceId: 'w',
  effectiveFrom: '2026-01-01',
  currency: 'EUR',
  createdAt: at,
  rates: [{ country: 'IN', category: 'marketing' as const, priceMicros: 9500 }],
}
const ctx = { workspaceId: 'w', role: 'agent' } as const

const passportOf = (over: Partial<MessageRecord>, phone = '+919812340001') =>
  createPassports({
    thread: { find: async () => ({ ...sent, ...over }) },
    rawEvents: { about: async () => [] },
    requestOf: async () => ({ to: phone }),
    rateCards: { priceAt: async (_scope, { category }) => chargeOf(card, phone, category) },
    campaignRecords: { read: async () => ({ name: 'Spring tea' }) },
  }).read(ctx, 'v', 'm1')

test('a price is told once the message is charged, and only where the workspace has entered one', async () => {
  const pricing = { billable: true, category: 'marketing' }
  const delivered = { sent: at, delivered: at }
  expect((await passportOf({ pricing })).pricing).toEqual(pricing)
  const charged = { ...pricing, chargedAt: at.toISOString() }
  const price = { micros: 9500, currency: 'EUR' }
  expect((await passportOf({ pricing, statusAt: delivered })).pricing).toEqual({ ...charged, price })
  expect((await passportOf({ pricing, statusAt: delivered }, '+491701234567')).pricing).toEqual(charged)
  const free = { billable: false, category: 'service' }
  expect((await passportOf({ pricing: free, statusAt: delivered })).pricing).not.toHaveProperty('price')
})

test('the campaign is named; one that sample data names by its story is not looked for', async () => {
  expect((await passportOf({})).campaign).toEqual({ id: campaignId, name: 'Spring tea' })
  expect(await passportOf({ cause: { kind: 'campaign', id: 'campaign-1' } })).not.toHaveProperty('campaign')
})

test.each([
  [131000, 'retry'],
  [131047, 'send_template'],
  [131042, 'fix_number'],
  [132001, 'fix_template'],
  [131026, undefined],
])('code %i leads to %s', async (code, action) => {
  const { error } = await passportOf({ status: 'failed', error: { code, details: 'refused' } })
  expect(error).toMatchObject({ code, details: 'refused' })
  expect(error?.action).toBe(action)
})

test('what the sending has come to stands in the timeline where no status tells it', async () => {
  const dispatch = { priority: 0, notBefore: at, attempts: 1, lastError: { code: 0, message: 'ECONNRESET' } }
  const last = async (over: Partial<MessageRecord>) => (await passportOf(over)).timeline.at(-1)
  expect(await last({ dispatch: { ...dispatch, state: 'uncertain' } })).toMatchObject({
    kind: 'uncertain',
    text: 'It was sent to WhatsApp, but the response was lost: ECONNRESET',
  })
  expect(await last({ dispatch: { ...dispatch, state: 'cancelled' } })).toMatchObject({ kind: 'cancelled' })
  expect(await last({ dispatch: { ...dispatch, state: 'queued' } })).toMatchObject({ kind: 'try' })
})
