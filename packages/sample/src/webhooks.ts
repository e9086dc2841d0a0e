import type { Webhook } from '@parley/contracts/platform/webhooks'
import { dayMs, hourMs, minuteMs } from './facts.ts'

type Sketch = Pick<Webhook, 'name' | 'url' | 'events' | 'status'> & {
  calls: number
  failed: number
  lastMsAgo: number
}

const sketches: readonly Sketch[] = [
  {
    name: 'Order updates',
    url: 'https://api.chaiandco.example/hooks/whatsapp',
    events: ['message.received', 'message.sent', 'message.delivered', 'message.read', 'message.failed'],
    status: 'active',
    calls: 18_240,
    failed: 55,
    lastMsAgo: 2 * minuteMs,
  },
  {
    name: 'Help desk tickets',
    url: 'https://desk.chaiandco.example/inbound/whatsapp/messages',
    events: ['message.received'],
    status: 'active',
    calls: 2_168,
    failed: 3,
    lastMsAgo: 2 * minuteMs,
  },
  {
    name: 'Delivery failures to the team channel',
    url: 'https://alerts.chaiandco.example/services/whatsapp-failures',
    events: ['message.failed', 'webhook.error'],
    status: 'active',
    calls: 137,
    failed: 1,
    lastMsAgo: 47 * minuteMs,
  },
  {
    name: 'Warehouse dashboard',
    url: 'https://warehouse.chaiandco.example:8443/events',
    events: ['message.delivered', 'message.read', 'status.update'],
    status: 'failed',
    calls: 6_412,
    failed: 864,
    lastMsAgo: 9 * hourMs,
  },
  {
    name: 'Account audit log',
    url: 'https://audit.chaiandco.example/ingest',
    events: ['account.update', 'status.update'],
    status: 'active',
    calls: 24,
    failed: 0,
    lastMsAgo: 6 * dayMs,
  },
]

/** Webhooks by id, the oldest first. Their success rates follow from calls and failures, to one decimal. */
export function createWebhooks(now: Date): Map<string, Webhook> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const webhooks = sketches.map(({ calls, failed, lastMsAgo, ...sketch }, index): Webhook => {
    const createdAt = before((320 - index * 55) * dayMs)
    return {
      ...sketch,
      id: `webhook-${index + 1}`,
      createdAt,
      updatedAt: before(lastMsAgo),
      version: 1,
      secret: { last4: `k${index + 1}Zq`, updatedAt: createdAt, previousUntil: null },
      failing: null,
      disabledFor: null,
      sample: true,
      lastTriggeredAt: before(lastMsAgo),
      totalCalls: calls,
      successRate: Math.round(((calls - failed) / calls) * 1000) / 10,
    }
  })
  return new Map(webhooks.map((webhook) => [webhook.id, webhook]))
}
