import { errors } from '@parley/service-kit/core/errors'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { runProcess } from '@parley/service-kit/core/run-process'
import { createManagementApp } from '@parley/service-kit/http/operations'
import { createServiceApp, stopServiceApp } from '@parley/service-kit/http/service-app'
import { createQueues } from '@parley/service-kit/queue/queues'
import { ingestConfigSchema } from './config.ts'
import { linksRoutes } from './modules/campaigns/tracking/links.routes.ts'
import { ingestRoutes } from './modules/channel/ingest/ingest.routes.ts'
import { openMessaging } from './open-messaging.ts'

const name = 'messaging-ingest'

/** Receives WhatsApp's webhooks and stores them, and leads visitors of counted links on: a deployment of its own, so that a burst never slows the inbox. */
await runProcess({
  name,
  schema: ingestConfigSchema,
  start: async (config, logger, giveUp) => {
    const metrics = createMetrics(name)
    const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
    const messaging = await openMessaging(name, config, { logger, metrics, queues, giveUp })
    const app = await createServiceApp({
      name,
      logger,
      metrics,
      verifyToken: () => Promise.reject(errors.unauthenticated()),
      isOpen: messaging.database.isOpen,
      probes: [messaging.probe, { name: 'queue', required: false, check: queues.isReachable }],
      translateError: messaging.translateError,
      modules: () => undefined,
      publicFace: {
        trustProxyHops: config.TRUST_PROXY_HOPS,
        secure: [config.HOOKS_PUBLIC_URL, config.LINKS_PUBLIC_URL].some((url) => url?.startsWith('https:')),
      },
    })
    const countRefused = metrics.counter({
      name: 'webhooks_refused_total',
      help: 'Calls of the webhook address that were refused',
      label: 'reason',
      values: ['address', 'signature', 'handshake'],
    })
    await app.register(ingestRoutes, { ...messaging.services, countRefused })
    await app.register(linksRoutes, messaging.services)
    const management = createManagementApp({ logger, metrics })
    await management.listen({ host: config.HOST, port: config.MANAGEMENT_PORT })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await messaging.services.linkVisits.settled()
      await queues.close(0)
      await messaging.close()
      await management.close()
    }
  },
})
