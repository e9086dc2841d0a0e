import { type NewWebhook, type Webhook, webhooksApi } from '@parley/contracts/platform/webhooks'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal, refuseStale } from '../answer.ts'
import { pageOf } from '../page-of.ts'

/** Stands in for the service that will own the webhooks. */
export const answers = [
  answer(webhooksApi.list, ({ query: { q = '', status, ...page } }, { webhooks }) => {
    const wanted = q.toLowerCase()
    const found = [...webhooks.values()].filter(
      (webhook) =>
        (!status || webhook.status === status) && `${webhook.name} ${webhook.url}`.toLowerCase().includes(wanted),
    )
    return pageOf(found, page)
  }),
  answer(webhooksApi.create, ({ body: { secret = '', ...body } }, { webhooks }) => {
    refuseDuplicate(body, undefined, webhooks)
    const now = new Date().toISOString()
    const webhook: Webhook = {
      ...body,
      id: `webhook-${crypto.randomUUID()}`,
      createdAt: now,
      updatedAt: now,
      version: 1,
      status: 'active',
      secret: secretOf(secret, now),
      lastTriggeredAt: null,
      totalCalls: 0,
      successRate: 0,
    }
    webhooks.set(webhook.id, webhook)
    return webhook
  }),
  answer(webhooksApi.update, ({ params: { id }, body: { secret, version, ...body } }, { webhooks }) => {
    const webhook = find(webhooks, id)
    refuseStale('webhook', webhook, version)
    refuseDuplicate(body, id, webhooks)
    const now = new Date().toISOString()
    const changed: Webhook = {
      ...webhook,
      ...body,
      ...(secret !== undefined && { secret: secretOf(secret, now) }),
      version: webhook.version + 1,
      updatedAt: now,
    }
    webhooks.set(id, changed)
    return changed
  }),
  answer(webhooksApi.remove, ({ params: { id } }, { webhooks }) => {
    find(webhooks, id)
    webhooks.delete(id)
    return undefined
  }),
]

const secretOf = (secret: string, now: string): Webhook['secret'] =>
  secret === '' ? { set: false, last4: '', updatedAt: null } : { set: true, last4: secret.slice(-4), updatedAt: now }

function find(webhooks: SampleDataset['webhooks'], id: string): Webhook {
  const webhook = webhooks.get(id)
  if (!webhook) throw refusal('not_found', 'This webhook has been deleted.')
  return webhook
}

function refuseDuplicate(
  { url }: Pick<NewWebhook, 'url'>,
  id: string | undefined,
  webhooks: SampleDataset['webhooks'],
): void {
  for (const other of webhooks.values()) {
    if (other.id === id || other.url !== url) continue
    const message = `${other.name} goes to this address already.`
    throw refusal('webhook_exists', message, { url: message })
  }
}
