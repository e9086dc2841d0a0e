import { errors } from '@parley/service-kit/core/errors'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { runProcess } from '@parley/service-kit/core/run-process'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { watchWrites } from '@parley/service-kit/data/mongo'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { createServiceApp, stopServiceApp } from '@parley/service-kit/http/service-app'
import { createQueues } from '@parley/service-kit/queue/queues'
import { ingestConfigSchema } from './config.ts'
import { ingestRoutes } from './features/ingest/ingest.routes.ts'
import { createServices } from './services.ts'

/** Receives WhatsApp's webhooks and stores them: a deployment of its own, so that a burst never slows the inbox. */
await runProcess({
  name: 'messaging-ingest',
  schema: ingestConfigSchema,
  start: async (config, logger, giveUp) => {
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const metrics = createMetrics('messaging-ingest')
    const database = openDatabase(config.MONGODB_URL, {
      name: 'messaging-ingest',
      logger,
      migrations,
      onHopeless: giveUp,
    })
    const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
    const writes = watchWrites(database.connection)
    const services = createServices({
      logger,
      mongo: database.connection,
      box: createSecretBox(config.SECRET_KEYS),
      applyLanes: queues.lanes('apply'),
      sendLanes: queues.lanes('send'),
      hooksUrl: config.HOOKS_PUBLIC_URL,
    })
    const refused = metrics.counter({
      name: 'webhooks_refused_total',
      help: 'Calls of the webhook address that were refused',
      label: 'reason',
      values: ['address', 'signature', 'handshake'],
    })
    const app = await createServiceApp({
      name: 'messaging-ingest',
      logger,
      metrics,
      verifyToken: () => Promise.reject(errors.unauthenticated()),
      isOpen: database.isOpen,
      probes: [
        {
          name: 'mongodb',
          required: true,
          check: async () => database.isOpen() && writes.answers(),
          retry: database.retry,
        },
        { name: 'queue', required: false, check: queues.isReachable },
      ],
      translateError: writes.translateError,
      features: () => undefined,
    })
    await app.register(ingestRoutes, { ...services, countRefused: refused })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await queues.close(0)
      await database.close()
    }
  },
})
