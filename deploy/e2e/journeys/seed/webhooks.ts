import type { AuditEntry } from './audit-entry.ts'

/** Events that a webhook can be called for. */
const events = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'status.update',
  'account.update',
  'webhook.error',
]

export const webhooksSeed: readonly AuditEntry[] = [
  {
    what: 'Webhooks: the list with events, badge, last triggered, total calls, success rate and its buttons',
    path: '/webhooks',
    texts: [
      'Order updates',
      'https://api.chaiandco.example/hooks/whatsapp',
      'message.received',
      'Active',
      'Failed',
      'Last triggered',
      'Total calls',
      'Success rate',
    ],
    controls: [
      ...['Test', 'Configure', 'Delete'].map((verb) => ({ role: 'button' as const, name: `${verb} Order updates` })),
      { role: 'button', name: 'Copy URL of Order updates' },
      { role: 'button', name: 'Create New Webhook' },
    ],
  },
  {
    what: 'Webhooks: the Create New Webhook form with name, URL, the eight events and an optional secret',
    path: '/webhooks?new=1',
    texts: ['Create New Webhook', /HMAC/, ...events],
    controls: [
      { role: 'textbox', name: 'Name' },
      { role: 'textbox', name: 'URL' },
      { role: 'textbox', name: /^Secret/ },
      ...events.map((name) => ({ role: 'checkbox' as const, name })),
    ],
  },
]
