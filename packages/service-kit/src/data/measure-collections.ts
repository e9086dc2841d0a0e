import type { Metrics } from '../core/metrics.ts'
import { shareAnswer } from '../core/share-answer.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'

/** Milliseconds for which sizes are reused: they grow by the hour, and each is a question to the server. */
const keptMs = 5 * 60_000

/** Measures how much disk each collection takes with its indexes. Each worker of a service tells the same. */
export function measureCollections(database: ServiceConnection, metrics: Pick<Metrics, 'gauge'>): void {
  const read = shareAnswer(
    () => sizesOf(database),
    () => keptMs,
  )
  metrics.gauge({
    name: 'collection_size_bytes',
    help: 'Disk that a collection takes with its indexes, read every five minutes',
    label: 'collection',
    read,
  })
}

async function sizesOf(database: ServiceConnection): Promise<Record<string, number>> {
  const { db } = fullConnection(database)
  if (!db) throw new Error('the database is not open')
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const sizes: Record<string, number> = {}
  // One after the other: nobody waits for them.
  for (const { name } of collections) {
    if (name.startsWith('system.')) continue
    const [found] = await db
      .collection(name)
      .aggregate<{ bytes: number }>([
        { $collStats: { storageStats: {} } },
        { $project: { bytes: { $add: ['$storageStats.storageSize', '$storageStats.totalIndexSize'] } } },
      ])
      .toArray()
    if (found) sizes[name] = found.bytes
  }
  return sizes
}
