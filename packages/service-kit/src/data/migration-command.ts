import { parseArgs } from 'node:util'
import { z } from 'zod'
import { baseConfigShape, mongodbUrlSchema } from '../core/config.ts'
import { runCommand } from '../core/run-process.ts'
import { loadMigrations, pendingMigrations, runMigrations } from './migrations.ts'
import { connectMongo } from './mongo.ts'

const { NODE_ENV, LOG_LEVEL } = baseConfigShape

/**
 * Brings a service's database up to date and ends; with `--dry-run` it only says what it would do. The server does the same at
 * its start; an upgrade wants it done, or refused, before.
 * @param options.directory of the service's migrations.
 */
export const runMigrationCommand = ({ name, directory }: { name: string; directory: string }): Promise<void> =>
  runCommand({
    name,
    schema: z.object({ NODE_ENV, LOG_LEVEL, MONGODB_URL: mongodbUrlSchema }),
    work: async (config, logger) => {
      const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
      const migrations = await loadMigrations(directory)
      const mongo = await connectMongo(config.MONGODB_URL, { name, logger })
      try {
        if (values['dry-run']) {
          const pending = await pendingMigrations(mongo, migrations)
          for (const { number, name: title } of pending) {
            logger.info({ migration: number, title }, 'migration would be applied')
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
