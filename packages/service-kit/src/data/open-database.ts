import { keepReaching } from '../core/keep-reaching.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { measureDatabase } from './measure-database.ts'
import { LockNotHeld, type Migration, runMigrations } from './migrations.ts'
import { prepareMongo, type ServiceConnection, translateMongoError } from './mongo.ts'

/**
 * Opens a database that may not be there yet: connects, and brings it up to date, as soon as it can be reached. Wrong
 * credentials, a URL that cannot be read and a database of other code are told to `onHopeless`: trying again does not help.
 */
export function openDatabase(
  { MONGODB_URL: url, MONGODB_POOL_SIZE: maxPoolSize }: { MONGODB_URL: string; MONGODB_POOL_SIZE: number },
  options: {
    name: string
    logger: Logger
    metrics: Metrics
    migrations: readonly Migration[]
    onHopeless: (error: unknown) => void
  },
) {
  const { logger, migrations, onHopeless } = options
  const { connection, connect } = prepareMongo(url, { ...options, maxPoolSize })
  measureDatabase(connection, options.metrics)
  const reaching = keepReaching({
    part: 'mongodb',
    logger,
    attempt: async (signal) => {
      await connect()
      await runMigrations(connection, { migrations, logger, signal })
    },
    mayPass: (error) => error instanceof LockNotHeld || translateMongoError(error) !== undefined,
    onHopeless,
  })
  const close = async (): Promise<void> => {
    reaching.stop()
    await reaching.done
    await connection.close()
  }
  const forServices: ServiceConnection = connection
  return { connection: forServices, isOpen: reaching.isReached, retry: reaching.retry, close }
}
export type Database = ReturnType<typeof openDatabase>
