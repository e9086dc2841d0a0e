import { createInternalTokenVerifier, readTrustedIssuers } from '@parley/service-kit/core/internal-token'
import { createRedis } from '@parley/service-kit/core/redis'
import { runProcess } from '@parley/service-kit/core/run-process'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { stopServiceApp } from '@parley/service-kit/http/service-app'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'

await runProcess({
  name: 'profile',
  schema: configSchema,
  start: async (config, logger, giveUp) => {
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const issuers = readTrustedIssuers(config.INTERNAL_ISSUERS)
    const verifyToken = createInternalTokenVerifier({ audience: 'profile', issuers })
    const redis = createRedis(config.REDIS_URL, { name: 'profile', logger, commandTimeoutMs: 300, onRefused: giveUp })
    const database = openDatabase(config.MONGODB_URL, { name: 'profile', logger, migrations, onHopeless: giveUp })
    const app = await buildApp({ logger, database, redis, verifyToken })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await stopServiceApp(app)
      redis.disconnect()
      await database.close()
    }
  },
})
