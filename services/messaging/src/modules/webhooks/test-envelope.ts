import type { Envelope, WebhookEvent } from '@parley/contracts/platform/public-events'
import type { DeliveryRecord } from './deliveries.model.ts'
import type { WebhookRecord } from './webhooks.model.ts'

const at = '2026-03-09T09:30:00.000Z'
const contact = { id: 'contact-1', name: 'Asha Rao', phone: '+919820012345' }
const number = { id: 'number-1', name: 'Chai & Co', phone: '+912240001234' }
const sent = {
  id: 'message-2',
  waMessageId: 'wamid.SAMPLE2',
  conversationId: 'conversation-1',
  direction: 'outbound',
  content: { type: 'text', text: 'Yes, it is back in stock.' },
  cause: { kind: 'member', id: 'member-1' },
  sentAt: at,
  statusAt: at,
  attempt: 1,
}
const step = (status: string, more: object = {}) => ({ message: { ...sent, status, ...more }, contact, number })

const samples: Readonly<Record<WebhookEvent, Envelope['data']>> = {
  'message.received': {
    message: {
      id: 'message-1',
      waMessageId: 'wamid.SAMPLE1',
      conversationId: 'conversation-1',
      direction: 'inbound',
      content: { type: 'text', text: 'Is the masala chai in stock?' },
      cause: { kind: 'customer', id: 'contact-1' },
      sentAt: at,
    },
    contact,
    conversation: { id: 'conversation-1', status: 'open' },
    number,
  },
  'message.sent': step('sent'),
  'message.delivered': step('delivered'),
  'message.read': step('read'),
  'message.failed': step('failed', {
    error: {
      code: 131026,
      title: 'The message could not be delivered',
      class: 'bad_contact',
      nextStep: 'The number may not be on WhatsApp. Check it with the customer.',
    },
  }),
  'status.update': {
    subject: { kind: 'number', id: 'number-1', name: 'Chai & Co' },
    field: 'quality',
    previous: 'medium',
    current: 'high',
  },
  'account.update': { change: 'The business is verified' },
  'webhook.error': {
    webhook: { id: 'webhook-1', name: 'Order updates', host: 'orders.example' },
    state: 'failing',
    responseStatus: 503,
    since: at,
    deliveries: 3,
  },
}

/** The sample event of a test: of made-up records, and marked. */
export const testEnvelope = (
  { workspaceId }: Pick<WebhookRecord, 'workspaceId'>,
  { eventId, type, at: timestamp }: Pick<DeliveryRecord, 'eventId' | 'type' | 'at'>,
): Envelope => ({
  id: eventId,
  type,
  timestamp: timestamp.toISOString(),
  sequence: 0,
  workspaceId,
  test: true,
  data: samples[type],
})
