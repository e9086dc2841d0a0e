import { createMetrics } from '@parley/service-kit/core/metrics'
import { runProcess } from '@parley/service-kit/core/run-process'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { createPublicApp, stopServiceApp } from '@parley/service-kit/http/base-app'
import { createManagementApp } from '@parley/service-kit/http/operations'
import { heedMoves } from '@parley/service-kit/queue/heed-moves'
import { createQueues } from '@parley/service-kit/queue/queues'
import { ingestConfigSchema } from './ingest-config.ts'
import { createIngest } from './ingest-services.ts'
import { linksRoutes } from './modules/campaigns/tracking/links.routes.ts'
import { ingestRoutes } from './modules/channel/ingest/ingest.routes.ts'
import { openMessagingDatabase } from './platform/messaging-database.ts'

const name = 'messaging-ingest'

/** Receives WhatsApp's webhooks and stores them, and leads visitors of counted links on: a deployment of its own, so that a burst never slows the inbox. */
await runProcess({
  name,
  schema: ingestConfigSchema,
  start: async (config, logger, giveUp) => {
    const metrics = createMetrics(name)
    const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
    const { database, probe, translateError } = await openMessagingDatabase(name, config, { logger, metrics, giveUp })
    const services = createIngest({
      logger,
      metrics,
      queues,
      mongo: database.connection,
      keys: config.SECRET_KEYS,
      box: createSecretBox(config.SECRET_KEYS),
    })
    const app = createPublicApp({
      logger,
      metrics,
      translateError,
      probes: [probe, { name: 'queue', required: false, check: queues.isReachable }],
      trustProxyHops: config.TRUST_PROXY_HOPS,
      secure: [config.HOOKS_PUBLIC_URL, config.LINKS_PUBLIC_URL].some((url) => url?.startsWith('https:')),
    })
    const countRefused = metrics.counter({
      name: 'webhooks_refused_total',
      help: 'Calls of the webhook address that were refused',
      label: 'reason',
      values: ['address', 'signature', 'handshake'],
    })
    await app.register(ingestRoutes, { ...services, countRefused })
    await app.register(linksRoutes, services)
    const stopHeeding = heedMoves(database, { name, logger })
    const management = createManagementApp({ logger, metrics })
    await management.listen({ host: config.HOST, port: config.MANAGEMENT_PORT })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await services.linkVisits.settled()
      await stopHeeding()
      await queues.close(0)
      await database.close()
      await management.close()
    }
  },
})
