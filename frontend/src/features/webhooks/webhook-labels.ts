import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import type { Tone } from '../../ui/status-badge.tsx'

export const statusLabels: Readonly<Record<Webhook['status'], { word: string; tone: Tone }>> = {
  active: { word: 'Active', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  disabled: { word: 'Disabled', tone: 'neutral' },
}

/** Meaning of each event for the receiver. */
export const eventMeanings: Readonly<Record<WebhookEvent, string>> = {
  'message.received': 'A customer sent a message',
  'message.sent': 'WhatsApp accepted a message',
  'message.delivered': 'A message reached the phone',
  'message.read': 'The customer read a message',
  'message.failed': 'A message could not be delivered',
  'status.update': 'A number’s status or quality changed',
  'account.update': 'The business account changed',
  'webhook.error': 'A webhook delivery failed',
}
