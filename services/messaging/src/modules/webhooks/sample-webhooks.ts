import type { Webhook } from '@parley/contracts/platform/webhooks'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../platform/sample-records.ts'
import { createWebhookSecrets } from './webhook-secrets.ts'
import { type WebhookRecord, webhookSchema } from './webhooks.model.ts'

/** Webhooks of the sample data: their addresses do not exist, their figures are examples, and they are never called. */
export function createSampleWebhooks({ mongo, box }: { readonly mongo: ServiceConnection; readonly box: SecretBox }) {
  const records = sampleRecords(
    workspaceCollection<WebhookRecord>({ connection: mongo, name: 'webhooks', schema: webhookSchema }),
  )
  const secrets = createWebhookSecrets(box)

  const recordOf = (scope: WorkspaceScope, { id: _id, ...webhook }: Webhook) => {
    const { name, url, events, status, lastTriggeredAt, totalCalls, successRate, secret } = webhook
    return {
      _id,
      name,
      url,
      events,
      status,
      secrets: [{ ...secrets.make(scope, undefined, new Date(secret.updatedAt)), last4: secret.last4 }],
      ...(lastTriggeredAt && { lastTriggeredAt: new Date(lastTriggeredAt) }),
      totalCalls,
      okCalls: Math.round((totalCalls * (successRate ?? 0)) / 100),
      wakes: 0,
      revision: 1,
      createdAt: new Date(webhook.createdAt),
      sample: true as const,
    }
  }

  return {
    insert: (scope: WorkspaceScope, sample: readonly Webhook[]): Promise<void> =>
      records.insert(
        scope,
        sample.map((webhook) => recordOf(scope, webhook)),
      ),
    remove: records.remove,
  }
}
