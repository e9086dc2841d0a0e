import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWebhook } from '../../whatsapp/split-webhook.ts'
import type { KnownMessage } from '../inbox/messages/messages.service.ts'
import type { Usage } from '../usage/ledger/usage.ts'
import { decide } from './decide.ts'
import { readItem } from './read-webhook-items.ts'
import type { ItemAboutMessage, StatusItem } from './webhook-items.ts'

const start = new Date('2026-01-01T00:00:00Z')
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const ours: KnownMessage = {
  id: 'a'.repeat(24),
  conversationId: 'b'.repeat(24),
  numberId: 'c'.repeat(24),
  contactId: 'd'.repeat(24),
  version: 1,
  direction: 'outbound',
  content: { type: 'text', text: 'Hi' },
  status: 'queued',
  statusAt: { queued: start },
  cause: { kind: 'campaign', id: 'e'.repeat(24) },
  dispatch: { state: 'sending', priority: 0, notBefore: start, attempts: 0 },
  sentAt: start,
}

/** The message after these batches, with every row of usage that was written. */
function after(batches: readonly (readonly ItemAboutMessage[])[]) {
  let message = ours
  const usage = new Map<string, Usage>()
  for (const pieces of batches) {
    const plan = decide(pieces, [message])
    for (const { set } of plan.changes) {
      const { 'dispatch.state': _state, ...fields } = set
      message = { ...message, ...fields, version: message.version + 1 }
    }
    for (const row of plan.usage) {
      const before = usage.get(row.messageId)
      // State as stored: the first one stays, at the earliest time.
      usage.set(row.messageId, { ...(before ?? row), at: before && before.at < row.at ? before.at : row.at })
    }
  }
  const { version: _version, ...state } = message
  return { state: { ...state, reactions: state.reactions?.toSorted((a, b) => a.by.localeCompare(b.by)) }, usage }
}

const steps = ['sent', 'delivered', 'read', 'failed', 'played'] as const
const status = fc.constantFrom(...steps).map(
  (step): ItemAboutMessage => ({
    kind: 'status',
    status: {
      waMessageId: 'wamid.1',
      status: step,
      at: at(steps.indexOf(step)),
      waId: '4915112345670',
      userId: undefined,
      callbackData: ours.id,
      pricing:
        step === 'sent' || step === 'delivered' ? { billable: true, type: 'regular', category: 'service' } : undefined,
      error: step === 'failed' ? { code: 131026, details: '' } : undefined,
    },
  }),
)
const mark = fc.integer({ min: 1, max: 6 }).map(
  (second): ItemAboutMessage => ({
    kind: 'mark',
    waMessageId: 'wamid.1',
    by: 'customer',
    at: at(second),
    mark:
      second % 2
        ? { type: 'reaction', emoji: `:${second}:` }
        : { type: 'edit', content: { type: 'text', text: `${second}` } },
  }),
)

test('statuses, reactions and edits come to the same state in any order, in any batches, doubled or not', () => {
  fc.assert(
    fc.property(
      fc.array(status, { maxLength: 8 }),
      fc.array(mark, { maxLength: 4 }),
      fc.nat(),
      (statuses, marks, turn) => {
        // A mark names its message by the platform's id: a status has told that before.
        const first = statuses[0] ? [statuses[0]] : []
        const all = [...statuses, ...(first.length > 0 ? marks : [])]
        const cut = turn % (all.length + 1)
        const inOrder = after([[...first, ...all]])
        const turned = [...all.slice(cut), ...all.slice(0, cut)]
        expect(after([first, turned.toReversed()])).toEqual(inOrder)
        expect(after([first, ...turned.map((piece) => [piece])])).toEqual(inOrder)
        expect(after([first, all, all])).toEqual(inOrder)
      },
    ),
  )
})

const delivered = (over: Partial<StatusItem['status']>): StatusItem => ({
  kind: 'status',
  status: {
    waMessageId: 'wamid.1',
    status: 'delivered',
    at: at(1),
    waId: '5215512345678',
    userId: undefined,
    callbackData: ours.id,
    error: undefined,
    pricing: { billable: false, type: 'regular', category: 'utility' },
    ...over,
  },
})

test('a row of usage says in which country the recipient is, and of which campaign it is, where that is known', () => {
  const rowOf = (status: StatusItem, message = ours) => decide([status], [message]).usage
  const row = { messageId: ours.id, category: 'utility', billable: false, at: at(1) }
  expect(rowOf(delivered({}))).toEqual([{ ...row, country: 'MX', campaignId: ours.cause.id }])
  expect(
    rowOf(delivered({ waId: undefined, userId: 'MX.1' }), { ...ours, cause: { kind: 'member', id: 'm' } }),
  ).toEqual([row])
  expect(rowOf(delivered({ pricing: undefined }))).toEqual([])
})

test('whatever a webhook holds, it is split, and each piece is understood or refused', () => {
  const words = fc.constantFrom(
    'messages',
    'statuses',
    'contacts',
    'id',
    'from',
    'type',
    'text',
    'timestamp',
    'status',
    'errors',
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.dictionary(words, tie('any')),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any
  const field = fc.oneof(
    fc.constantFrom('messages', 'smb_message_echoes', 'account_update', 'user_preferences', 'user_id_update'),
    fc.string(),
  )
  const changes = fc.array(fc.record({ field, value }), { maxLength: 3 })
  const numbers = new Map([['100', 'number']])
  fc.assert(
    fc.property(changes, (generated) => {
      const items = splitWebhook(Buffer.from(JSON.stringify({ entry: [{ id: '1', changes: generated }] })))
      expect(items?.length ?? 0).toBeGreaterThanOrEqual(generated.length)
      for (const { lane, ...item } of items ?? []) {
        expect(lane).toBeLessThan(64)
        const event = { ...item, id: 'x', workspaceId: 'w', receivedAt: new Date(), tries: 0 }
        try {
          readItem(event, numbers)
        } catch (error) {
          // The webhook is tried three times, then kept for an operator.
          expect(error).toBeInstanceOf(Error)
        }
      }
    }),
  )
})

const thread = { conversationId: ours.conversationId, numberId: ours.numberId, contactId: ours.contactId }
const newMessage = {
  waMessageId: 'wamid.1',
  waId: '491',
  userId: undefined,
  groupId: undefined,
  at: start,
  opensWindow: true,
  replyTo: undefined,
  referral: undefined,
  productId: undefined,
  forwarded: 'no' as const,
  content: { type: 'text' as const, value: { body: 'A slip' } },
}

test('a message that is deleted in the batch that brings it is not shown in lists', () => {
  const deletion = {
    kind: 'mark',
    waMessageId: 'wamid.1',
    by: 'customer',
    at: at(1),
    mark: { type: 'revoke' },
  } as const
  const added = { kind: 'message', direction: 'inbound', ...thread, message: newMessage } as const
  const { conversations } = decide([added, deletion], [])
  expect(conversations).toMatchObject([{ last: { text: 'This message was deleted' } }])
})

test('a conversation begins with its earliest message and ends with its latest, in whatever order they come', () => {
  const pieces = [2, 0, 3, 1].map((seconds) => ({
    kind: 'message' as const,
    direction: 'inbound' as const,
    ...thread,
    message: { ...newMessage, waMessageId: `wamid.${seconds}`, at: at(seconds) },
  }))
  const { conversations } = decide(pieces, [])
  expect(conversations).toMatchObject([{ firstAt: at(0), last: { at: at(3) }, messages: 4, unread: 4 }])
})

test('a try whose answer was lost is heard of where it arrived, not where it failed', () => {
  const sentAgain: KnownMessage = {
    ...ours,
    status: 'sent',
    statusAt: { queued: start, sent: at(9) },
    waMessageId: 'wamid.2',
    dispatch: { state: 'accepted', priority: 0, notBefore: start, attempts: 0 },
  }
  const firstTry = (step: 'failed' | 'delivered'): ItemAboutMessage => ({
    kind: 'status',
    status: {
      waMessageId: 'wamid.1',
      status: step,
      at: at(10),
      waId: '491',
      userId: undefined,
      callbackData: ours.id,
      pricing: undefined,
      error: step === 'failed' ? { code: 131026, details: '' } : undefined,
    },
  })
  expect(decide([firstTry('failed')], [sentAgain])).toMatchObject({ changes: [], refused: [] })
  expect(decide([firstTry('delivered')], [sentAgain]).changes).toMatchObject([{ set: { status: 'delivered' } }])
})

test('a payment is no step of delivery: the message stays as it was, and shows the latest that is known of the payment', () => {
  const paymentStatus = (payment: 'paid' | 'failed' | 'pending', second: number): ItemAboutMessage => ({
    kind: 'status',
    status: {
      waMessageId: 'wamid.1',
      status: undefined,
      payment,
      at: at(second),
      waId: '491',
      userId: undefined,
      callbackData: ours.id,
      pricing: undefined,
      error: { code: 131_000, details: '' },
    },
  })
  const unpaid = [paymentStatus('pending', 1), paymentStatus('failed', 2), paymentStatus('failed', 3)]
  const settled = [...unpaid, paymentStatus('paid', 3)]
  for (const pieces of [settled, settled.toReversed()]) {
    const { state } = after([pieces])
    expect(state).toMatchObject({ status: 'queued', statusAt: ours.statusAt, payment: { state: 'paid', at: at(3) } })
    expect(state.error).toBeUndefined()
  }
  expect(after(unpaid.map((piece) => [piece])).state.payment).toEqual({ state: 'failed', at: at(3) })
})
