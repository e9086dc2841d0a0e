import { keepReaching } from '../core/keep-reaching.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { LockNotHeld, type Migration, pendingMigrations, runMigrations } from './migrations.ts'
import { connectMongo, fullConnection, prepareMongo, type ServiceConnection, translateMongoError } from './mongo.ts'
import { countTransactions, transactionResults } from './session.ts'

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
  const migrate = async (signal: AbortSignal): Promise<void> => {
    const patient = await connectMongo(url, options)
    try {
      await runMigrations(patient, { migrations, logger, signal })
    } finally {
      await patient.close()
    }
  }
  const reaching = keepReaching({
    part: 'mongodb',
    logger,
    attempt: async (signal) => {
      await connect()
      if ((await pendingMigrations(connection, migrations)).length > 0) await migrate(signal)
      const newest = migrations.at(-1)
      if (newest) options.metrics.noteMigration(newest.number)
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

/** Measures how long calls wait for a connection of the pool, and how transactions end. It is called before the database is opened. */
function measureDatabase(database: ServiceConnection, metrics: Pick<Metrics, 'counter' | 'histogram'>): void {
  const observe = metrics.histogram({
    name: 'mongodb_pool_wait_seconds',
    help: 'Time that a call waits for a connection to MongoDB',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 3],
  })
  countTransactions(
    database,
    metrics.counter({
      name: 'transaction_attempts_total',
      help: 'Attempts of transactions by their end; `repeated` met a conflict or a lost connection, and is tried again',
      label: 'result',
      values: transactionResults,
    }),
  )
  const connection = fullConnection(database)
  const measured = new WeakSet<object>()
  connection.on('connected', () => {
    // Each attempt to open it has a client of its own.
    const client = connection.getClient()
    if (measured.has(client)) return
    measured.add(client)
    client.on('connectionCheckedOut', ({ durationMS }) => observe(durationMS / 1000))
    client.on('connectionCheckOutFailed', ({ durationMS }) => observe(durationMS / 1000))
  })
}
