import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { EventType, RecordedEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { dueWorkspaces, type UnreadOf, withoutMarks } from './consume.ts'
import { eventLog, numberBefore, readHeads, toEvent } from './event-log.ts'
import { isDuplicateKey, type ServiceConnection } from './mongo.ts'
import type { EventReader } from './sequencer.ts'

/** Workspaces that are named at once. */
const maxDue = 1000
/** Events searched at once for those that the reader wants. */
const maxLookedAt = 20_000

/** An event with the trace in which it was recorded (W3C Trace Context), while traces are on. */
type FeedEvent = RecordedEvent & { readonly traceparent?: string | undefined }

/** A page of events, and the number at which the next one begins. */
interface FeedPage {
  readonly items: FeedEvent[]
  /**
   * Number up to which the page has looked. Less than the number asked for where that was never given: an older database was
   * restored, and the reader continues from here.
   */
  readonly upTo: number
  /** The last number given. */
  readonly head: number
}

/**
 * The log of events for a reader whose effects are in another database: it keeps its own cursor, moves it together with them, and
 * says here how far it has come. It reads events with a snapshot.
 * @param options.types also read without a snapshot.
 */
export function createEventFeed(options: {
  connection: ServiceConnection
  consumer: string
  types: readonly EventType[]
}) {
  const { connection, consumer, types } = options
  const { events, heads, cursors } = eventLog(connection)
  const wanted = { $or: [{ snapshot: { $exists: true } }, { type: { $in: [...types] } }] }
  const reader: EventReader & Pick<UnreadOf, 'wanted'> = {
    consumer,
    concerns: ({ type, snapshot }) => snapshot !== undefined || types.includes(type),
    wanted,
  }

  /** @param after absent: nothing is listed, and `upTo` is where to begin. */
  async function list(
    workspaceId: string,
    { after, limit }: { after?: number | undefined; limit: number },
  ): Promise<FeedPage> {
    const id = new Types.ObjectId(workspaceId)
    const head = (await heads.findOne({ _id: id }))?.seq ?? 0
    const end = after === undefined ? head : Math.min(head, after + maxLookedAt)
    if (after === undefined || end <= after) return { items: [], upTo: end, head }
    const found = await events
      .find({ workspaceId: id, seq: { $gt: after, $lte: end }, ...wanted })
      .sort({ seq: 1 })
      .limit(limit)
      .hint('number')
      .toArray()
    const upTo = found.length === limit ? (found.at(-1)?.seq ?? end) : end
    return { items: found.map((event) => ({ ...toEvent(event), traceparent: event.traceparent })), upTo, head }
  }

  /** Finds the place before the first event that was recorded since a moment, and the last number given. */
  async function history(workspaceId: string, since: Date): Promise<{ after: number; head: number }> {
    const head = (await readHeads(connection, [workspaceId])).get(workspaceId) ?? 0
    return { after: Math.min(head, await numberBefore(connection, workspaceId, since)), head }
  }

  /** Records that the reader has come so far: it is no longer due, unless something new has come since. */
  async function read(workspaceId: string, upTo: number): Promise<void> {
    const id = new Types.ObjectId(workspaceId)
    // A copy, by which it is told since when events wait for the reader.
    const move = [{ workspaceId: id, consumer }, { $set: { seq: upTo } }, { upsert: true }] as const
    await cursors.updateOne(...move).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    await heads.updateOne({ _id: id, seq: { $lte: upTo } }, withoutMarks([consumer]))
  }

  /**
   * Returns workspaces with something to read. Of very many it is another part each time, so that stuck ones hide no others.
   * @param lane leaves out those of other lanes.
   */
  async function due(lane?: number): Promise<string[]> {
    const all = (await dueWorkspaces(connection, [consumer], lane)).map(({ workspaceId }) => workspaceId)
    if (all.length <= maxDue) return all
    const start = randomInt(all.length)
    return [...all.slice(start), ...all.slice(0, start)].slice(0, maxDue)
  }

  return { reader, due, list, history, read }
}

/** Milliseconds between looks whether a reader has read everything. */
const lookEveryMs = 200

/**
 * Waits until a reader has read everything of a workspace, so that work which emits very many events leaves room for those of others.
 * @param options.withinMs maximum milliseconds; a reader that stands still holds nobody up for longer.
 */
export async function waitForReader(
  connection: ServiceConnection,
  { consumer, workspaceId, withinMs }: { consumer: string; workspaceId: string; withinMs: number },
): Promise<void> {
  const { heads } = eventLog(connection)
  const isDue = { _id: new Types.ObjectId(workspaceId), due: consumer }
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(lookEveryMs))
    if (!(await heads.findOne(isDue, { projection: { _id: 1 } }))) return
}
