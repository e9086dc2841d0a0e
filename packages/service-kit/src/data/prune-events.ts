import { Types } from 'mongoose'
import { eventLog, numberBefore, oldestNumber } from './event-log.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'

const dayMs = 86_400_000
/** Milliseconds between two looks at the log of one workspace. */
const everyMs = 6 * 3600_000
const maxDue = 1000
/** Events deleted by one statement, and statements of one job. */
const batchSize = 2000
const batchesAtOnce = 20
/** A note that somebody reads old events is renewed after so long. */
const noteEveryMs = dayMs

/** Times beside the head of a workspace's events. */
interface Noted {
  readonly _id: Types.ObjectId
  readonly seq: number
  readonly due?: readonly string[]
  readonly prunedAt?: Date
  readonly readAt?: Date
}

const headsOf = (connection: ServiceConnection) => fullConnection(connection).collection<Noted>('eventHeads')

/** Notes that a reader outside goes through the events of a workspace by its own cursor: they are kept for it as long as they can be. */
export async function noteReader(connection: ServiceConnection, workspaceId: string, now = Date.now()): Promise<void> {
  const readBefore = { $not: { $gte: new Date(now - noteEveryMs) } }
  await headsOf(connection).updateOne(
    { _id: new Types.ObjectId(workspaceId), readAt: readBefore },
    { $set: { readAt: new Date(now) } },
  )
}

/**
 * Deletes events before the log's own time is over, where nothing needs them any more: each of its consumers has read them, and nobody
 * goes back to old ones.
 * @param options.days for which they are kept.
 * @param options.maxDays for which those of a workspace are kept in which somebody goes back to old ones: the time of the log itself.
 * @param options.goesBack tells whether a feature of a workspace goes back to old events.
 */
export function createEventPruner({
  connection,
  days,
  maxDays,
  goesBack,
  now = Date.now,
}: {
  readonly connection: ServiceConnection
  readonly days: number
  readonly maxDays: number
  readonly goesBack: (workspaceId: string) => Promise<boolean>
  readonly now?: () => number
}) {
  const { events, cursors } = eventLog(connection)
  const heads = headsOf(connection)
  const before = (ms: number) => new Date(now() - ms)

  /** Returns the number up to which every consumer has read; one whose cursor is elsewhere and that is due has read nothing. */
  async function readUpTo({ _id: workspaceId, seq, due = [] }: Noted): Promise<number> {
    if (due.length === 0) return seq
    const found = await cursors
      .find({ workspaceId, consumer: { $in: [...due] } })
      .hint('cursor')
      .toArray()
    const seqs = new Map(found.map((cursor) => [cursor.consumer, cursor.seq]))
    return Math.min(seq, ...due.map((consumer) => seqs.get(consumer) ?? 0))
  }

  async function perform({ workspaceId }: { workspaceId: string }, requeue: () => void): Promise<void> {
    const own = { workspaceId: new Types.ObjectId(workspaceId) }
    const head = await heads.findOne({ _id: own.workspaceId })
    if (!head) return
    const isReadBack = (head.readAt && head.readAt >= before(maxDays * dayMs)) || (await goesBack(workspaceId))
    if (!isReadBack) {
      const old = await numberBefore(connection, workspaceId, before(days * dayMs))
      const upTo = Math.min(old, await readUpTo(head))
      let from = (await oldestNumber(connection, workspaceId)) ?? upTo + 1
      for (let batch = 0; from <= upTo; batch += 1) {
        if (batch === batchesAtOnce) return requeue()
        const to = Math.min(upTo, from + batchSize - 1)
        await events.deleteMany({ ...own, seq: { $gte: from, $lte: to } }, { hint: 'number' })
        from = to + 1
      }
    }
    await heads.updateOne({ _id: own.workspaceId }, { $set: { prunedAt: new Date(now()) } })
  }

  return {
    perform,
    /** Returns workspaces whose events were not looked at for hours, those that wait longest first. */
    due: async (): Promise<{ id: string; workspaceId: string }[]> => {
      if (days >= maxDays) return []
      const found = await heads
        .find({ prunedAt: { $not: { $gte: before(everyMs) } } })
        .project<{ _id: Types.ObjectId }>({ _id: 1 })
        .sort({ prunedAt: 1 })
        .limit(maxDue)
        .hint('pruned')
        .toArray()
      return found.map(({ _id }) => ({ id: _id.toHexString(), workspaceId: _id.toHexString() }))
    },
  }
}

/**
 * Deletes documents of all workspaces whose time is over before that of their TTL index.
 * @param options.index name of that index, on `field` alone.
 * @returns whether there may be more.
 */
export async function deleteOlder(
  connection: ServiceConnection,
  { collection, field, index, before }: { collection: string; field: string; index: string; before: Date },
): Promise<boolean> {
  const documents = fullConnection(connection).collection(collection)
  const ids = await documents
    .find({ [field]: { $lt: before } })
    .project<{ _id: Types.ObjectId }>({ _id: 1 })
    .limit(batchSize)
    .hint(index)
    .toArray()
  if (ids.length > 0) await documents.deleteMany({ _id: { $in: ids.map(({ _id }) => _id) } })
  return ids.length === batchSize
}
