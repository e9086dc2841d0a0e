import { createInternalTokenVerifier, readTrustedIssuers } from '@parley/service-kit/core/internal-token'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createRedis } from '@parley/service-kit/core/redis'
import { runProcess } from '@parley/service-kit/core/run-process'
import { stopServiceApp } from '@parley/service-kit/http/base-app'
import { heedMoves } from '@parley/service-kit/queue/heed-moves'
import { createQueues } from '@parley/service-kit/queue/queues'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'
import { openAutomation } from './open-automation.ts'

const name = 'automation'

/** Answers the builder of bots: drafts, publication, sessions, and what a person has to look at. */
await runProcess({
  name,
  schema: configSchema,
  start: async (config, logger, giveUp) => {
    const issuers = readTrustedIssuers(config.INTERNAL_ISSUERS)
    const verifyToken = createInternalTokenVerifier({ audience: name, issuers })
    const metrics = createMetrics(name)
    const redis = createRedis(config.REDIS_URL, { name, logger, onRefused: giveUp })
    const queues = createQueues({ url: config.REDIS_URL, service: name, logger, metrics })
    const automation = await openAutomation(name, config, { logger, metrics, queues, redis, giveUp })
    const app = await buildApp({ logger, metrics, verifyToken, automation, redis })
    const stopHeeding = heedMoves(automation.database, { name, logger, keys: config.SECRET_KEYS })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await stopHeeding()
      await queues.close(0)
      redis.disconnect()
      await automation.database.close()
    }
  },
})
