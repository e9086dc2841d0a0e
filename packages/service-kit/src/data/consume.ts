import type { EventType, RecordedEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { inStoredTrace } from '../core/tracing.ts'
import { type EventHead, eventLog, toEvent } from './event-log.ts'
import { isDuplicateKey, type ServiceConnection } from './mongo.ts'
import { inTransaction, type Tx } from './transaction.ts'

interface Consumer {
  readonly connection: ServiceConnection
  /** Stable name, also known to the sequencer. */
  readonly consumer: string
}

/** Events searched at once for those of the wanted types. */
const maxLookedAt = 20_000

export interface Reading extends Consumer {
  readonly workspaceId: string
  readonly handle: (events: readonly RecordedEvent[], tx: Tx) => Promise<void>
  /** Types that `handle` is given; absent where that is all of them. */
  readonly types?: readonly EventType[] | undefined
  readonly limit?: number
  /** Tells, in the transaction, that nothing of what is there concerns the consumer: its cursor moves to the end. */
  readonly skip?: ((tx: Pick<Tx, 'session'>) => Promise<boolean>) | undefined
}

/**
 * Hands the next events of a workspace to a consumer and moves its cursor in the same transaction: what `handle` writes with
 * the transaction's session takes effect exactly once for each event, in their order. Effects elsewhere may happen again.
 * @returns whether there is more to read.
 */
export async function consume(reading: Reading): Promise<boolean> {
  const { connection, consumer, workspaceId } = reading
  const head = await eventLog(connection).heads.findOne({ _id: new Types.ObjectId(workspaceId) })
  if (!head) return false
  const hasMore = await readUpTo(head.seq, reading)
  if (!hasMore) await unmark(connection, { workspaceId, seq: head.seq }, [consumer])
  return hasMore
}

/** Removes the marks of consumers who have read up to `seq`: only where nothing new has come since. */
export async function unmark(
  connection: ServiceConnection,
  { workspaceId, seq }: { readonly workspaceId: string; readonly seq: number },
  consumers: readonly string[],
): Promise<void> {
  // Written outside the transaction, so that consumers do not conflict with the sequencer.
  const upTo = { _id: new Types.ObjectId(workspaceId), seq }
  if (consumers.length > 0) await eventLog(connection).heads.updateOne(upTo, withoutMarks(consumers))
}

/** Stages that take the marks of consumers from a head, and with the last one the time since which some were due. */
export const withoutMarks = (consumers: readonly string[]) => [
  { $set: { due: { $setDifference: [{ $ifNull: ['$due', []] }, consumers] } } },
  { $set: { behindSince: { $cond: [{ $eq: ['$due', []] }, '$$REMOVE', '$behindSince'] } } },
]

/** Does what `consume` does, up to an event that is known to be there, and leaves the mark to `unmark`. @returns whether there is more up to it. */
export async function readUpTo(newest: number, reading: Reading): Promise<boolean> {
  const { connection, consumer, workspaceId, handle, types, limit = 500, skip } = reading
  const { events, cursors } = eventLog(connection)
  const key = { workspaceId: new Types.ObjectId(workspaceId), consumer }
  const hasMore = await inTransaction(connection, async (tx) => {
    const { session } = tx
    const cursor = await cursors.findOne(key, { session })
    if (!cursor) return undefined
    const from = cursor.seq
    const upTo = Math.min(newest, from + maxLookedAt)
    if (upTo <= from) return false
    if (await skip?.({ session })) {
      await move(newest)
      return false
    }
    const next = {
      workspaceId: key.workspaceId,
      seq: { $gt: from, $lte: upTo },
      ...(types && { type: { $in: types } }),
    }
    const found = await events.find(next, { session }).sort({ seq: 1 }).limit(limit).hint('number').toArray()
    if (found.length > 0) {
      const traces = found.map(({ traceparent }) => traceparent)
      await inStoredTrace(`events ${consumer}`, traces, () => handle(found.map(toEvent), tx))
    }
    const last = found.length === limit ? (found.at(-1)?.seq ?? upTo) : upTo
    await move(last)
    return last < newest

    async function move(to: number): Promise<void> {
      const moved = await cursors.updateOne({ ...key, seq: from }, { $set: { seq: to } }, { session })
      if (moved.matchedCount !== 1) throw new Error(`the cursor of ${consumer} was moved by another`)
    }
  })
  if (hasMore !== undefined) return hasMore
  await cursors.updateOne(key, { $setOnInsert: { seq: 0 } }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error
  })
  return readUpTo(newest, reading)
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

/** Workspace in which consumers have something to read, up to the event `seq`. */
export interface DueWorkspace {
  readonly workspaceId: string
  readonly seq: number
  readonly consumers: readonly string[]
}

/**
 * Returns all workspaces with events that some of these consumers have not read: a sweep goes through them, in case a wake-up was lost. Of a
 * part of them those that are stuck would hide the others.
 * @param lane leaves out those of other lanes, unread, where the sequencer keeps them; those whose lane is not known are among them.
 */
export async function dueWorkspaces(
  connection: ServiceConnection,
  consumers: readonly string[],
  lane?: number,
): Promise<DueWorkspace[]> {
  const asked = new Set(consumers)
  const { heads } = eventLog(connection)
  const due = { $in: [...consumers] }
  const asks =
    lane === undefined
      ? heads.find({ due }).hint('due')
      : heads.find({ due, $or: [{ lane }, { lane: { $exists: false } }] }).hint('lane')
  const found = await asks.project<EventHead>({ due: 1, seq: 1 }).toArray()
  return found.map(({ _id, seq, due }) => ({
    workspaceId: String(_id),
    seq,
    consumers: due.filter((name) => asked.has(name)),
  }))
}

/** Heads that are looked at for {@link unreadSince}, and workspaces of each consumer, those that have been behind for longest. */
const maxHeads = 5000
const maxBehind = 20

/** Consumer whose unread events are looked for. */
export interface UnreadOf {
  readonly consumer: string
  /** Types that it is given; absent where that is all of them. */
  readonly types?: readonly EventType[] | undefined
  /** Further condition on events that it is given. */
  readonly wanted?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Returns the times since which the oldest event waits for each consumer, as far as it concerns it. Of very many workspaces with something to
 * read those count that have had some for longest: one that is stuck is not hidden by busy ones.
 * @param without workspaces that no consumer is to read now.
 */
export async function unreadSince(
  connection: ServiceConnection,
  consumers: readonly UnreadOf[],
  without: ReadonlySet<string> = new Set(),
): Promise<Record<string, Date | undefined>> {
  const { events, heads, cursors } = eventLog(connection)
  const names = consumers.map(({ consumer }) => consumer)
  const found = await heads
    .find({ due: { $in: names } })
    .limit(maxHeads)
    .hint('due')
    .toArray()
  const behind = found.filter(({ _id }) => !without.has(_id.toHexString()))
  const workspaceIds = behind.map(({ _id }) => _id)
  const positions =
    behind.length === 0
      ? []
      : await cursors
          .find({ workspaceId: { $in: workspaceIds }, consumer: { $in: names } })
          .hint('cursor')
          .toArray()
  const seqs = new Map(positions.map(({ consumer, workspaceId, seq }) => [`${workspaceId} ${consumer}`, seq]))

  async function oldestOf({ consumer, types, wanted }: UnreadOf): Promise<Date | undefined> {
    const ranges = behind
      .filter(({ due }) => due.includes(consumer))
      .sort((left, right) => timeOf(left) - timeOf(right))
      .slice(0, maxBehind)
      .map(({ _id: workspaceId }) => ({ workspaceId, seq: seqs.get(`${workspaceId} ${consumer}`) ?? 0 }))
    const times = await Promise.all(
      ranges.map(async ({ workspaceId, seq }) => {
        const ofTypes = types && { type: { $in: types } }
        const next = { ...wanted, ...ofTypes, workspaceId, seq: { $gt: seq, $lte: seq + maxLookedAt } }
        return (await events.find(next).sort({ seq: 1 }).limit(1).hint('number').next())?.recordedAt
      }),
    )
    return times.flatMap((time) => time ?? []).sort((left, right) => left.getTime() - right.getTime())[0]
  }

  const all = await Promise.all(
    consumers.map(async (consumer) => [consumer.consumer, await oldestOf(consumer)] as const),
  )
  return Object.fromEntries(all)
}

const timeOf = ({ behindSince }: EventHead): number => behindSince?.getTime() ?? 0
