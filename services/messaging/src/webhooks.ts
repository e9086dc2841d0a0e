import { heedMoves } from '@parley/service-kit/queue/heed-moves'
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

/** Sends outbound webhooks in a process of its own: a slow receiver holds up nothing else. */
await runWorker({
  name,
  service: 'messaging',
  schema: webhooksConfigSchema,
  start: async (config, tools) => {
    const messaging = await openMessaging(name, config, tools)
    const { database, services, outboundHttp, probe, close } = messaging
    const { webhookRecords, sendDeliveries, closings } = services
    // Their webhooks stand still: what is due there is no work that waits.
    const outside = async <T>(ask: (closed: ReadonlySet<string>) => Promise<T>) => ask(await closings.ids())
    const { observeDelay } = measureWebhooks(tools.metrics, (lateBefore) =>
      outside((closed) => webhookRecords.countWaiting(lateBefore, closed)),
    )
    tools.queues.rest.lookWhile(database.isOpen)
    const stopHeeding = heedMoves(database, { name, logger: tools.logger, rest: tools.queues.rest })
    tools.queues.workJobs(webhookQueue.name, {
      ...webhookQueue,
      perform: sendDeliveries(outboundHttp, { observeDelay }),
      pendingRecords: () => outside((closed) => webhookRecords.due(new Date(), closed)),
      concurrency,
      sweepMs,
    })
    const pendingSince = async () => ({ deliveries: await outside(webhookRecords.oldestDueAt) })
    return {
      probes: [probe],
      pendingSince,
      close: async () => {
        await stopHeeding()
        await close()
      },
    }
  },
})
