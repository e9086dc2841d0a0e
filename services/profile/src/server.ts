import { oneCell } from '@parley/service-kit/core/cells'
import { createInternalTokenVerifier, readTrustedIssuers } from '@parley/service-kit/core/internal-token'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createRedis } from '@parley/service-kit/core/redis'
import { runProcess } from '@parley/service-kit/core/run-process'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { stopServiceApp } from '@parley/service-kit/http/base-app'
import { createQueues } from '@parley/service-kit/queue/queues'
import { buildApp } from './app.ts'
import { connectMessaging } from './ask-messaging.ts'
import { configSchema } from './config.ts'
import { readCell } from './modules/workspaces/read-cell.ts'

const name = 'profile'

await runProcess({
  name,
  schema: configSchema,
  start: async (config, logger, giveUp) => {
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const issuers = readTrustedIssuers(config.INTERNAL_ISSUERS)
    const verifyToken = createInternalTokenVerifier({ audience: name, issuers })
    const metrics = createMetrics(name)
    const redis = createRedis(config.REDIS_URL, { name, logger, commandTimeoutMs: 300, onRefused: giveUp })
    const queues = createQueues({ url: config.REDIS_URL, service: name, logger, metrics })
    const database = openDatabase(config, { name, logger, metrics, migrations, onHopeless: giveUp })
    const cells = config.CELLS ?? oneCell
    const { askPlan, publicKeys } = await connectMessaging(name, config, readCell(database.connection))
    const app = await buildApp({ logger, metrics, database, redis, queues, askPlan, cells, verifyToken, publicKeys })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      await queues.close(0)
      redis.disconnect()
      await database.close()
    }
  },
})
