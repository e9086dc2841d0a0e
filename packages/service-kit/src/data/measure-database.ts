import type { Metrics } from '../core/metrics.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import { countTransactions, transactionResults } from './session.ts'

/** Measures how long calls wait for a connection of the pool, and how transactions end. Call it before the database is opened. */
export function measureDatabase(database: ServiceConnection, metrics: Pick<Metrics, 'counter' | 'histogram'>): void {
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
