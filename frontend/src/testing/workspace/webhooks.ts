import { newSigningKey, readSigningKey, showSigningKey } from '@parley/contracts/platform/signing-keys'
import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import type { DeliveryDetail, Webhook } from '@parley/contracts/platform/webhooks'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, now, remove, type Workspace } from './workspace.ts'

const keyOf = (secret = '') => {
  const key = secret === '' ? newSigningKey() : readSigningKey(secret)
  return showSigningKey(key instanceof Uint8Array ? key : newSigningKey())
}
const secretOf = (signingKey: string) => ({ last4: signingKey.slice(-4), updatedAt: now(), previousUntil: null })

/** Webhooks with an empty log; a test is delivered at once. */
export function webhookHandlers({ webhooks }: Workspace) {
  const deliveries = new Map<string, DeliveryDetail & { webhookId: string }>()
  const refuseTaken = (url: string | undefined, id?: string) => {
    const other = [...webhooks.values()].find((webhook) => webhook.url === url && webhook.id !== id)
    const message = `${other?.name} goes to this address already.`
    if (other) throw refusal('webhook_exists', message, { url: message })
  }
  const logged = (webhookId: string) => [...deliveries.values()].filter((each) => each.webhookId === webhookId)
  return [
    answer(webhooksApi.list, ({ query: { status, ...page } }) =>
      pageOf(
        [...webhooks.values()].filter((webhook) => !status || webhook.status === status),
        page,
      ),
    ),
    answer(webhooksApi.create, ({ body: { secret, ...body } }) => {
      refuseTaken(body.url)
      const signingKey = keyOf(secret)
      const webhook = insert<Webhook>(webhooks, {
        ...newRecord('webhook'),
        ...body,
        status: 'active',
        secret: secretOf(signingKey),
        failing: null,
        disabledFor: null,
        lastTriggeredAt: null,
        totalCalls: 0,
        successRate: null,
      })
      return { ...webhook, signingKey }
    }),
    answer(webhooksApi.update, ({ params: { id }, body: { version, ...body } }) => {
      refuseTaken(body.url, id)
      return change<Webhook>(webhooks, id, body, version)
    }),
    answer(webhooksApi.remove, ({ params: { id } }) => remove(webhooks, id)),
    answer(webhooksApi.enable, ({ params: { id } }) =>
      change<Webhook>(webhooks, id, { status: 'active', failing: null, disabledFor: null }),
    ),
    answer(webhooksApi.rotateSecret, ({ params: { id }, body: { secret } }) => {
      const signingKey = keyOf(secret)
      return { ...change<Webhook>(webhooks, id, { secret: secretOf(signingKey) }), signingKey }
    }),
    answer(webhooksApi.test, ({ params: { id }, body: { type } }) => {
      find(webhooks, id)
      const last = { at: now(), status: 200, ms: 12, answer: 'ok' }
      return insert(deliveries, {
        id: `delivery-${deliveries.size + 1}`,
        webhookId: id,
        eventId: 'evt_test',
        type,
        state: 'delivered' as const,
        at: now(),
        nextAttemptAt: null,
        attempts: 1,
        last,
        log: [last],
        test: true as const,
        body: JSON.stringify({ id: 'evt_test', type, test: true }),
        differs: false,
      })
    }),
    answer(webhooksApi.deliveries, ({ params: { id }, query }) => pageOf(logged(id), query)),
    answer(webhooksApi.delivery, ({ params: { deliveryId } }) => find(deliveries, deliveryId)),
  ]
}
