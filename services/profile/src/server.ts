import { createInternalTokenVerifier } from '@parley/service-kit/core/internal-token'
import { createKeySet } from '@parley/service-kit/core/jwks'
import { createRedis } from '@parley/service-kit/core/redis'
import { releaseConnections } from '@parley/service-kit/core/release-connections'
import { runProcess } from '@parley/service-kit/core/run-process'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { buildApp } from './app.ts'
import { configSchema } from './config.ts'

await runProcess({
  name: 'profile',
  schema: configSchema,
  start: async (config, logger) => {
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'profile', logger })
    await runMigrations(mongo, { migrations: await loadMigrations(`${import.meta.dirname}/migrations`), logger })
    const redis = createRedis(config.REDIS_URL, { name: 'profile', logger, commandTimeoutMs: 300 })
    const keys = createKeySet(config.INTERNAL_JWKS_URL)
    const verifyToken = createInternalTokenVerifier({ audience: 'profile', getKey: keys.getKey })
    const app = await buildApp({ logger, mongo, redis, verifyToken })
    await app.listen({ host: config.HOST, port: config.PORT })
    return async () => {
      await releaseConnections(app.server)
      await app.close()
      redis.disconnect()
      await mongo.close()
    }
  },
})
