import type { RecordedEvent } from '@parley/contracts/events'
import { Types } from 'mongoose'
import { eventLog, type StoredEvent, toEvent } from './event-log.ts'
import type { ServiceConnection } from './mongo.ts'
import { orderEvents } from './order-events.ts'
import { inTransaction } from './transaction.ts'

const batchSize = 500

/**
 * Numbers committed events, gap-free within each workspace. A number is given only to what has been committed, so whoever
 * reads on from a number can miss nothing. Several may work at once, and be killed at any moment: two that number the same
 * workspace conflict on its head, and one of them begins again.
 * @param consumers names that are marked as due in a workspace that has new events.
 * @param publish told of every batch after its commit; what it misses, readers find in the database.
 */
export function createSequencer({
  connection,
  consumers,
  publish,
}: {
  connection: ServiceConnection
  consumers: readonly string[]
  publish?: (workspaceId: string, events: readonly RecordedEvent[]) => Promise<void>
}) {
  const { events, heads } = eventLog(connection)

  /** Numbers all new events of a workspace. @returns how many. */
  async function sequence(workspaceId: string): Promise<number> {
    for (let total = 0; ; ) {
      const numbered = await sequenceBatch(new Types.ObjectId(workspaceId))
      if (numbered.length > 0) await publish?.(workspaceId, numbered)
      total += numbered.length
      if (numbered.length < batchSize) return total
    }
  }

  async function sequenceBatch(workspaceId: Types.ObjectId): Promise<RecordedEvent[]> {
    return inTransaction(connection, async ({ session }) => {
      const fresh = { workspaceId, fresh: true as const }
      const first = await events.find(fresh, { session }).sort({ _id: 1 }).limit(batchSize).hint('fresh').toArray()
      if (first.length === 0) return []
      // A lower version of a record may have a higher id, by the clock of another process. It comes before.
      const recordIds = [...new Set(first.flatMap(({ recordId }) => recordId ?? []))]
      const known = first.map(({ _id }) => _id)
      const missed =
        first.length < batchSize || recordIds.length === 0
          ? []
          : await events
              .find({ ...fresh, recordId: { $in: recordIds }, _id: { $nin: known } }, { session })
              .hint('fresh-record')
              .toArray()
      const ordered = orderEvents([...first, ...missed])
      const head = await heads.findOneAndUpdate(
        { _id: workspaceId },
        { $inc: { seq: ordered.length }, $addToSet: { due: { $each: [...consumers] } } },
        { session, upsert: true, returnDocument: 'after' },
      )
      if (!head) throw new Error('the head of a workspace was not written')
      const start = head.seq - ordered.length
      const numbered = ordered.map((event, index) => ({ ...event, seq: start + index + 1 }))
      const { modifiedCount } = await events.bulkWrite(numbered.map(writeOf), { session })
      if (modifiedCount !== numbered.length) throw new Error('events were numbered by another')
      return numbered.map(toEvent)
    })
  }

  /** Workspaces with events that have no number yet: what a sweep goes through, in case a wake-up was lost. */
  async function waiting(): Promise<string[]> {
    const found = await events
      .aggregate<{ _id: Types.ObjectId }>(
        [{ $match: { fresh: true } }, { $group: { _id: '$workspaceId' } }, { $limit: 1000 }],
        {
          hint: 'fresh',
        },
      )
      .toArray()
    return found.map(({ _id }) => _id.toHexString())
  }

  /** Numbers what is new in every workspace; what makes certain that no wake-up is needed. @returns how many events. */
  async function sweep(): Promise<number> {
    let total = 0
    for (const workspaceId of await waiting()) total += await sequence(workspaceId)
    return total
  }

  return { sequence, waiting, sweep }
}

const writeOf = ({ _id, seq }: Pick<StoredEvent, '_id'> & { seq: number }) => ({
  updateOne: { filter: { _id, fresh: true as const }, update: { $set: { seq }, $unset: { fresh: 1 as const } } },
})
