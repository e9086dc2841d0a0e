import type { EventType, RecordedEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { eventLog, type StoredEvent, toEvent } from './event-log.ts'
import type { ServiceConnection } from './mongo.ts'
import { inTransaction } from './transaction.ts'

const batchSize = 500

/** Reader of the log of events behind the sequencer. */
export interface EventReader {
  /** Stable name under which its cursor is stored. */
  readonly consumer: string
  /** Types of events that it reads; absent for all. */
  readonly types?: readonly EventType[] | undefined
  /** Returns whether it reads an event; absent for a reader of all events. */
  readonly concerns?: ((event: NumberlessEvent) => boolean) | undefined
}
type NumberlessEvent = Omit<RecordedEvent, 'seq'>

/**
 * Numbers committed events, gap-free within each workspace. A number is given only to what has been committed, so a reader that
 * continues from a number can miss nothing. Several may work at once, and be killed at any moment: two that number the same
 * workspace conflict on its head, and one of them begins again.
 * @param consumers are marked as due in a workspace that has new events for them.
 * @param publish called with every batch after its commit; what it misses, readers find in the database.
 * @param wake called after the commit with those that have something to read; a sweep finds those it does not reach.
 * @param laneOf kept on the head of each workspace, by which `dueWorkspaces` finds those of one lane.
 */
export function createSequencer({
  connection,
  consumers,
  publish,
  wake,
  laneOf,
}: {
  connection: ServiceConnection
  consumers: readonly EventReader[]
  publish?: (workspaceId: string, events: readonly RecordedEvent[]) => Promise<void>
  wake?: (workspaceId: string, consumers: readonly string[]) => void
  laneOf?: (workspaceId: string) => number
}) {
  const { events, heads } = eventLog(connection)

  /** Numbers all new events of a workspace. @returns their number. */
  async function sequence(workspaceId: string): Promise<number> {
    for (let total = 0; ; ) {
      const numbered = await sequenceBatch(new Types.ObjectId(workspaceId))
      if (numbered.length > 0) await publish?.(workspaceId, numbered)
      wake?.(workspaceId, concerned(consumers, numbered))
      total += numbered.length
      if (numbered.length < batchSize) return total
    }
  }

  async function sequenceBatch(workspaceId: Types.ObjectId): Promise<RecordedEvent[]> {
    return inTransaction(connection, async ({ session }) => {
      const fresh = { workspaceId, fresh: true as const }
      const first = await events.find(fresh, { session }).sort({ _id: 1 }).limit(batchSize).hint('fresh').toArray()
      if (first.length === 0) return []
      // By the clock of another process, a lower version of a record may have a higher id. The version decides.
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
      const recorded = ordered.map(toEvent)
      const lane = laneOf?.(workspaceId.toHexString())
      const due = concerned(consumers, recorded)
      const head = await heads.findOneAndUpdate(
        { _id: workspaceId },
        {
          $inc: { seq: ordered.length },
          $addToSet: { due: { $each: due } },
          ...(due.length > 0 && { $min: { behindSince: new Date() } }),
          ...(lane !== undefined && { $set: { lane } }),
        },
        { session, upsert: true, returnDocument: 'after' },
      )
      if (!head) throw new Error('the head of a workspace was not written')
      const start = head.seq - ordered.length
      const ids = ordered.map(({ _id }) => _id)
      // One statement writes all of them: one for each would cost as much as the insert itself.
      const { modifiedCount } = await events.updateMany(
        { _id: { $in: ids }, fresh: true },
        [{ $set: { seq: { $add: [start + 1, { $indexOfArray: [ids, '$_id'] }] } } }, { $unset: 'fresh' }],
        { session },
      )
      if (modifiedCount !== ordered.length) throw new Error('events were numbered by another')
      return recorded.map((event, index) => ({ ...event, seq: start + index + 1 }))
    })
  }

  /**
   * Returns workspaces with events that have no number yet: a sweep goes through them, in case a wake-up was lost. The index holds such
   * events alone, and is jumped through: one key of each workspace is read, and no event. A condition on `fresh` would read every one.
   */
  async function waiting(): Promise<string[]> {
    const found = await events
      .aggregate<{ _id: Types.ObjectId }>([{ $group: { _id: '$workspaceId' } }], { hint: 'fresh' })
      .toArray()
    return found.map(({ _id }) => _id.toHexString())
  }

  /** Returns the time at which the oldest event without a number was recorded. */
  async function oldestWaitingAt(): Promise<Date | undefined> {
    const [oldest] = await events
      .aggregate<{ _id: Types.ObjectId }>(
        [
          { $sort: { workspaceId: 1, _id: 1 } },
          { $group: { _id: '$workspaceId', first: { $first: '$_id' } } },
          { $sort: { first: 1 } },
          { $limit: 1 },
          { $project: { _id: '$first' } },
        ],
        { hint: 'fresh' },
      )
      .toArray()
    return oldest?._id.getTimestamp()
  }

  /** Numbers new events of every workspace, so that a lost wake-up does no harm. @returns their number. */
  async function sweep(): Promise<number> {
    let total = 0
    for (const workspaceId of await waiting()) total += await sequence(workspaceId)
    return total
  }

  return { sequence, waiting, oldestWaitingAt, sweep }
}

const concerned = (consumers: readonly EventReader[], events: readonly NumberlessEvent[]): string[] => {
  const published = Map.groupBy(events, ({ type }) => type)
  return consumers
    .filter(({ types = [...published.keys()], concerns = () => true }) =>
      types.some((type) => published.get(type)?.some(concerns)),
    )
    .map(({ consumer }) => consumer)
}

type Orderable = Pick<StoredEvent, '_id' | 'at' | 'recordId' | 'version'>

/** Orders a batch for numbering: events of one record by its version, all others by the time at their source. */
export function orderEvents<T extends Orderable>(events: readonly T[]): T[] {
  const byTime = [...events].sort((a, b) => Number(a.at) - Number(b.at) || compareIds(a, b))
  const byRecord = new Map<string, T[]>()
  for (const event of byTime) {
    if (event.recordId === undefined) continue
    byRecord.set(event.recordId, [...(byRecord.get(event.recordId) ?? []), event])
  }
  for (const ofRecord of byRecord.values()) ofRecord.sort((a, b) => (a.version ?? 0) - (b.version ?? 0))
  // Each position of a record's events takes the next one of that record.
  return byTime.map((event) =>
    event.recordId === undefined ? event : (byRecord.get(event.recordId)?.shift() ?? event),
  )
}

const compareIds = (a: Orderable, b: Orderable): number => (a._id.toHexString() < b._id.toHexString() ? -1 : 1)
