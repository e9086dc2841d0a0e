import type { Db } from 'mongodb'
import { table } from '../report.ts'

interface Stored {
  readonly name: string
  /** Bytes on disk for each 1,000 messages. */
  readonly data: number
  readonly indexes: number
  /** True where a TTL index deletes its documents. */
  readonly passes: boolean
}

/**
 * Reads what the collections of a database take on disk for each 1,000 messages that are stored, apart for what stays for ever and what
 * does not. Of few messages the pages of empty collections are most of it.
 */
async function storedBytes(db: Db): Promise<readonly Stored[]> {
  await db.admin().command({ fsync: 1 })
  const thousands = (await db.collection('messages').estimatedDocumentCount()) / 1000
  const stored: Stored[] = []
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.')) continue
    const [stats] = await db
      .collection(name)
      .aggregate<{ data: number; indexes: number }>([
        { $collStats: { storageStats: {} } },
        { $project: { data: '$storageStats.storageSize', indexes: '$storageStats.totalIndexSize' } },
      ])
      .toArray()
    const passes = (await db.collection(name).indexes()).some(
      ({ expireAfterSeconds }) => expireAfterSeconds !== undefined,
    )
    if (stats) stored.push({ name, data: stats.data / thousands, indexes: stats.indexes / thousands, passes })
  }
  return stored.sort((left, right) => right.data + right.indexes - left.data - left.indexes)
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1)
const sumOf = (stored: readonly Stored[]) => ({
  data: stored.reduce((sum, { data }) => sum + data, 0),
  indexes: stored.reduce((sum, { indexes }) => sum + indexes, 0),
})

/** Prints the kilobytes on disk for each 1,000 messages, by collection, and the sums of what stays and what passes. */
export async function reportStoredBytes(db: Db): Promise<void> {
  const stored = await storedBytes(db)
  const row = (name: string, { data, indexes }: Pick<Stored, 'data' | 'indexes'>, kept: string) => [
    ...[name, kilobytes(data), kilobytes(indexes), kilobytes(data + indexes)],
    kept,
  ]
  const [stays, passes] = [stored.filter((one) => !one.passes), stored.filter((one) => one.passes)]
  const large = stored.filter(({ data, indexes }) => data + indexes >= 10_000)
  console.log(
    `\n${table([
      ['KB for 1,000 messages', 'data', 'indexes', 'both', 'kept'],
      ...large.map((one) => row(one.name, one, one.passes ? 'for a while' : 'for ever')),
      row('all of it', sumOf(stays), 'for ever'),
      row('all of it', sumOf(passes), 'for a while'),
    ])}`,
  )
}
