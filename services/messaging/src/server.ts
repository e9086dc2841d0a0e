import { createInternalTokenVerifier, readTrustedIssuers } from '@parley/service-kit/core/internal-token'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createRedis } from '@parley/service-kit/core/redis'
import { runProcess } from '@parley/service-kit/core/run-process'
import { stopServiceApp } from '@parley/service-kit/http/base-app'
import { heedMoves } from '@parley/service-kit/queue/heed-moves'
import { createQueues } from '@parley/service-kit/queue/queues'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'
import { openMessaging } from './open-messaging.ts'
import { connectProfile } from './platform/ask-profile.ts'

const name = 'messaging'

/** Answers the inbox: numbers, contacts, conversations, and the stream of events. */
await runProcess({
  name,
  schema: configSchema,
  start: async (config, logger, giveUp) => {
    const { REDIS_URL, SIMULATOR_URL, SIMULATOR_PUBLIC_URL = SIMULATOR_URL } = config
    const issuers = readTrustedIssuers(config.INTERNAL_ISSUERS)
    const verifyToken = createInternalTokenVerifier({ audience: name, issuers })
    const metrics = createMetrics(name)
    const redis = createRedis(REDIS_URL, { name, logger, onRefused: giveUp })
    const queues = createQueues({ url: REDIS_URL, service: name, logger, metrics })
    const { askMembers, askPeople, publicKeys } = await connectProfile(name, config)
    const messaging = await openMessaging(name, config, { logger, metrics, queues, giveUp, askMembers, askPeople })
    const app = await buildApp({
      logger,
      metrics,
      verifyToken,
      publicKeys,
      messaging,
      redis,
      sampleData: config.SAMPLE_DATA === 'on',
      simulator:
        SIMULATOR_URL && SIMULATOR_PUBLIC_URL ? { url: SIMULATOR_URL, publicUrl: SIMULATOR_PUBLIC_URL } : undefined,
    })
    metrics.gauge({
      name: 'open_streams',
      help: 'Streams that pages hold open',
      label: 'kind',
      read: async () => ({ events: app.openStreams.count() }),
    })
    const stopHeeding = heedMoves(messaging.database, {
      name,
      logger,
      keys: config.SECRET_KEYS,
      // Pages come back, and find the cell that has the workspace.
      onMoving: (moving) => app.openStreams.end((caller) => moving.has(caller?.claims.wid ?? '')),
    })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await stopHeeding()
      await queues.close(0)
      redis.disconnect()
      await messaging.close()
    }
  },
})
