import { runCommand } from '@parley/service-kit/core/run-process'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { configSchema } from './config.ts'

/** Brings the database up to date and ends. The server does the same at its start; an upgrade wants it done, or refused, before. */
await runCommand({
  name: 'profile-migrations',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'profile-migrations', logger })
    try {
      await runMigrations(mongo, { migrations: await loadMigrations(`${import.meta.dirname}/migrations`), logger })
      logger.info('the database is up to date')
    } finally {
      await mongo.close()
    }
  },
})
