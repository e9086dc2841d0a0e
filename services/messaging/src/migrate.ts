import { parseArgs } from 'node:util'
import { runCommand } from '@parley/service-kit/core/run-process'
import { loadMigrations, pendingMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { configSchema } from './config.ts'

/**
 * Brings the database up to date and ends; with `--dry-run` it only says what it would do. The server does the same at its
 * start; an upgrade wants it done, or refused, before.
 */
await runCommand({
  name: 'messaging-migrations',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'messaging-migrations', logger })
    try {
      if (values['dry-run']) {
        const pending = await pendingMigrations(mongo, migrations)
        for (const { number, name } of pending) {
          logger.info({ migration: number, title: name }, 'migration would be applied')
        }
        logger.info({ pending: pending.length }, 'dry run: nothing was changed')
        return
      }
      await runMigrations(mongo, { migrations, logger })
      logger.info('the database is up to date')
    } finally {
      await mongo.close()
    }
  },
})
