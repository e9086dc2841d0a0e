import type { EventType, RecordedEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { eventLog, toEvent } from './event-log.ts'
import { isDuplicateKey, type ServiceConnection } from './mongo.ts'
import { inTransaction, type Tx } from './transaction.ts'

interface Consumer {
  readonly connection: ServiceConnection
  /** Stable name, also known to the sequencer. */
  readonly consumer: string
}

/** Events searched at once for those of the wanted types. */
const maxLookedAt = 20_000

/**
 * Hands the next events of a workspace to a consumer and moves its cursor in the same transaction: what `handle` writes with
 * the transaction's session takes effect exactly once for each event, in their order. Effects elsewhere may happen again.
 * @param options.types those that `handle` is given; absent where that is all of them.
 * @param options.skip tells, in the transaction, that nothing of what is there concerns the consumer: its cursor moves to the end.
 * @returns whether there is more to read.
 */
export async function consume({
  connection,
  consumer,
  workspaceId,
  handle,
  types,
  limit = 500,
  skip,
}: Consumer & {
  workspaceId: string
  handle: (events: readonly RecordedEvent[], tx: Tx) => Promise<void>
  types?: readonly EventType[] | undefined
  limit?: number
  skip?: ((tx: Pick<Tx, 'session'>) => Promise<boolean>) | undefined
}): Promise<boolean> {
  const { events, heads, cursors } = eventLog(connection)
  const key = { workspaceId: new Types.ObjectId(workspaceId), consumer }
  await cursors.updateOne(key, { $setOnInsert: { seq: 0 } }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error
  })
  const { seq, hasMore } = await inTransaction(connection, async (tx) => {
    const { session } = tx
    const cursor = await cursors.findOne(key, { session })
    if (!cursor) throw new Error(`the cursor of ${consumer} is not there yet`)
    const from = cursor.seq
    const newest = (await heads.findOne({ _id: key.workspaceId }, { session }))?.seq ?? 0
    const upTo = Math.min(newest, cursor.seq + maxLookedAt)
    if (upTo <= cursor.seq) return { seq: cursor.seq, hasMore: false }
    if (await skip?.({ session })) {
      await move(newest)
      return { seq: newest, hasMore: false }
    }
    const next = {
      workspaceId: key.workspaceId,
      seq: { $gt: cursor.seq, $lte: upTo },
      ...(types && { type: { $in: types } }),
    }
    const found = await events.find(next, { session }).sort({ seq: 1 }).limit(limit).hint('number').toArray()
    if (found.length > 0) await handle(found.map(toEvent), tx)
    const last = found.length === limit ? (found.at(-1)?.seq ?? upTo) : upTo
    await move(last)
    return { seq: last, hasMore: last < newest }

    async function move(to: number): Promise<void> {
      const moved = await cursors.updateOne({ ...key, seq: from }, { $set: { seq: to } }, { session })
      if (moved.matchedCount !== 1) throw new Error(`the cursor of ${consumer} was moved by another`)
    }
  })
  // Written outside the transaction, so that consumers do not conflict with the sequencer; only where nothing new has come since.
  if (!hasMore) await heads.updateOne({ _id: key.workspaceId, seq }, { $pull: { due: consumer } })
  return hasMore
}

/**
 * Reads the events that a consumer is still to be handed, as of the transaction of `session`: also those that have no number yet.
 * @param options.types those that are given.
 */
export async function* unreadEvents(
  connection: ServiceConnection,
  {
    consumer,
    workspaceId,
    types,
    session,
  }: { consumer: string; workspaceId: string; types: readonly EventType[]; session: Tx['session'] },
): AsyncGenerator<RecordedEvent> {
  const { events, cursors } = eventLog(connection)
  const key = { workspaceId: new Types.ObjectId(workspaceId), consumer }
  const seq = (await cursors.findOne(key, { session }))?.seq ?? 0
  const ofTypes = { workspaceId: key.workspaceId, type: { $in: [...types] } }
  const numbered = events.find({ ...ofTypes, seq: { $gt: seq } }, { session }).hint('number')
  for await (const event of numbered) yield toEvent(event)
  const fresh = events.find({ ...ofTypes, fresh: true }, { session }).hint('fresh')
  for await (const event of fresh) yield toEvent(event)
}

/**
 * Returns all workspaces with events that a consumer has not read: a sweep goes through them, in case a wake-up was lost. Of a part of them
 * those that are stuck would hide the others.
 */
export async function dueWorkspaces({ connection, consumer }: Consumer): Promise<string[]> {
  const heads = await eventLog(connection).heads.find({ due: consumer }).project({ _id: 1 }).hint('due').toArray()
  return heads.map(({ _id }) => String(_id))
}
