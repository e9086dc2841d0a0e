import { runWorker } from '@parley/service-kit/queue/run-worker'
import { webhooksConfigSchema } from './config.ts'
import { webhookQueue } from './modules/webhooks/module.ts'
import { openMessaging } from './open-messaging.ts'
import { measureWebhooks } from './platform/metrics.ts'

const name = 'messaging-webhooks'
/** Webhooks at once. */
const concurrency = 50
/** Retries are due by the second. */
const sweepMs = 1000

/** Sends outbound webhooks: the only process that calls addresses which people have typed, and a slow one holds up nothing else. */
await runWorker({
  name,
  service: 'messaging',
  schema: webhooksConfigSchema,
  start: async (config, tools) => {
    const messaging = await openMessaging(name, config, tools)
    const { database, services, outboundHttp, probe, close } = messaging
    const { webhookRecords, sendDeliveries, closings } = services
    const { observeDelay } = measureWebhooks(tools.metrics, webhookRecords.countWaiting)
    tools.queues.workJobs(webhookQueue.name, {
      ...webhookQueue,
      perform: sendDeliveries(outboundHttp, { observeDelay }),
      pendingRecords: async () => {
        if (!database.isOpen()) return []
        const [due, closed] = await Promise.all([webhookRecords.due(new Date()), closings.ids()])
        return due.filter(({ workspaceId }) => !closed.has(workspaceId))
      },
      concurrency,
      sweepMs,
    })
    return { probes: [probe], pendingSince: async () => ({ deliveries: await webhookRecords.oldestDueAt() }), close }
  },
})
