import { type NewEvent, newEventSchema, type RecordedEvent } from '@parley/contracts/platform/events'
import { type ClientSession, type Connection, Types } from 'mongoose'
import { storedTrace } from '../core/tracing.ts'
import { maxEventDays } from './event-retention.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import { withStringIds } from './plain.ts'

/** An event as it is stored: `fresh` until the sequencer gives it its number. */
export interface StoredEvent {
  readonly _id: Types.ObjectId
  readonly workspaceId: Types.ObjectId
  readonly type: string
  readonly at: Date
  readonly recordedAt: Date
  readonly recordId?: string | undefined
  readonly version?: number | undefined
  readonly contactId?: string | undefined
  readonly conversationId?: string | undefined
  /** Trace in which it was recorded (W3C Trace Context). */
  readonly traceparent?: string | undefined
  readonly fresh?: true
  readonly seq?: number
}

/** Latest event number of a workspace, and the consumers that have not read up to it. */
export interface EventHead {
  readonly _id: Types.ObjectId
  readonly seq: number
  readonly due: readonly string[]
  /** Time since which there has always been a consumer that was due. */
  readonly behindSince?: Date
  /** Lane of the workspace; absent until its events are numbered by a sequencer that keeps lanes. */
  readonly lane?: number
}

/** Position of a consumer in a workspace's events. */
interface EventCursor {
  readonly consumer: string
  readonly workspaceId: Types.ObjectId
  readonly seq: number
}

/** The collections of the event log. */
export function eventLog(database: ServiceConnection) {
  const connection = fullConnection(database)
  return {
    events: connection.collection<StoredEvent>('events'),
    heads: connection.collection<EventHead>('eventHeads'),
    cursors: connection.collection<EventCursor>('eventCursors'),
  }
}

/** Creates the collections and indexes of a service that records events; part of a migration. Safe to run again. */
export async function createEventIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  const events = db.collection('events')
  const fresh = { partialFilterExpression: { fresh: true } }
  await events.createIndex({ workspaceId: 1, _id: 1 }, { ...fresh, name: 'fresh' })
  await events.createIndex({ workspaceId: 1, recordId: 1, version: 1 }, { ...fresh, name: 'fresh-record' })
  const numbered = { partialFilterExpression: { seq: { $exists: true } } }
  await events.createIndex({ workspaceId: 1, seq: 1 }, { ...numbered, unique: true, name: 'number' })
  await events.createIndex({ recordedAt: 1 }, { expireAfterSeconds: maxEventDays * 86_400, name: 'kept' })
  await db.collection('eventHeads').createIndex({ due: 1 }, { name: 'due' })
  await db.collection('eventCursors').createIndex({ workspaceId: 1, consumer: 1 }, { unique: true, name: 'cursor' })
}

/** Lets the heads of one lane be found; part of a migration of a service whose sequencer keeps lanes. Safe to run again. */
export const createLaneIndex = (db: NonNullable<Connection['db']>): Promise<string> =>
  db.collection('eventHeads').createIndex({ lane: 1, due: 1 }, { name: 'lane' })

/** Records events; called by `inTransaction` only. @throws where the data of an event does not have the shape of its type. */
export async function insertEvents(
  connection: ServiceConnection,
  events: readonly NewEvent[],
  session: ClientSession,
): Promise<void> {
  if (events.length === 0) return
  const recordedAt = new Date()
  const traceparent = storedTrace()
  const stored = events.map((event) => {
    const { workspaceId, at, ...fields } = newEventSchema.parse(event)
    return {
      ...fields,
      _id: new Types.ObjectId(),
      workspaceId: new Types.ObjectId(workspaceId),
      at: at === undefined ? recordedAt : new Date(at),
      recordedAt,
      ...(traceparent !== undefined && { traceparent }),
      fresh: true as const,
    }
  })
  await eventLog(connection).events.insertMany(stored, { session, ignoreUndefined: true })
}

/** Returns a stored event as consumers see it. */
export function toEvent({
  _id,
  fresh: _fresh,
  traceparent: _traceparent,
  at,
  recordedAt,
  ...fields
}: StoredEvent): RecordedEvent {
  const event = { ...Object(withStringIds(fields)), id: _id.toHexString(), at: at.toISOString() }
  return { ...event, recordedAt: recordedAt.toISOString() } as RecordedEvent
}

interface EventRange {
  readonly workspaceId: string
  readonly after: number
  readonly limit: number
}

/** Fields for automations only, which browsers do not get: the customer's words, effects of bulk changes, and snapshots of contact and conversation. */
const automationFacts = { 'data.said': 0, 'data.did': 0, snapshot: 0 } as const

/** Reads numbered events after a number, in their order, as browsers see them: without the fields for automations. */
export async function readEvents(
  connection: ServiceConnection,
  { workspaceId, after, limit }: EventRange,
): Promise<RecordedEvent[]> {
  const found = await eventLog(connection)
    .events.find({ workspaceId: new Types.ObjectId(workspaceId), seq: { $gt: after } })
    .project<StoredEvent>(automationFacts)
    .sort({ seq: 1 })
    .limit(limit)
    .hint('number')
    .toArray()
  return found.map(toEvent)
}

const ofWorkspace = (workspaceId: string) => ({ workspaceId: new Types.ObjectId(workspaceId) })

/** Reads events by their numbers; those that are no longer kept are missing. */
export async function readNumbered(
  connection: ServiceConnection,
  workspaceId: string,
  seqs: readonly number[],
): Promise<RecordedEvent[]> {
  if (seqs.length === 0) return []
  const found = await eventLog(connection)
    .events.find({ ...ofWorkspace(workspaceId), seq: { $in: [...new Set(seqs)] } })
    .project<StoredEvent>(automationFacts)
    .hint('number')
    .toArray()
  return found.map(toEvent)
}

/** Reads events by their ids, with what they hold for automations; those that are no longer kept are missing. */
export async function readNamed(
  connection: ServiceConnection,
  workspaceId: string,
  ids: readonly string[],
): Promise<RecordedEvent[]> {
  const found = await eventLog(connection)
    .events.find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) }, ...ofWorkspace(workspaceId) })
    .hint('_id_')
    .toArray()
  return found.map(toEvent)
}

/** Numbers searched at once for events of the wanted types. */
const maxLookedAt = 20_000

/**
 * Reads the numbered events of some types after a number, in their order.
 * @returns `upTo`: the number up to which the log was looked through; `head`: the last number given.
 */
export async function readTypes(
  connection: ServiceConnection,
  { workspaceId, after, limit, types }: EventRange & { readonly types: readonly string[] },
): Promise<{ events: RecordedEvent[]; upTo: number; head: number }> {
  const head = (await readHeads(connection, [workspaceId])).get(workspaceId) ?? 0
  const end = Math.min(head, after + maxLookedAt)
  if (end <= after) return { events: [], upTo: after, head }
  const found = await eventLog(connection)
    .events.find({ ...ofWorkspace(workspaceId), seq: { $gt: after, $lte: end }, type: { $in: [...types] } })
    .project<StoredEvent>(automationFacts)
    .sort({ seq: 1 })
    .limit(limit)
    .hint('number')
    .toArray()
  return { events: found.map(toEvent), upTo: found.length === limit ? (found.at(-1)?.seq ?? end) : end, head }
}

/** Finds the first kept event with at least this number. */
const nextNumbered = (connection: ServiceConnection, workspaceId: string, from: number) =>
  eventLog(connection).events.findOne(
    { ...ofWorkspace(workspaceId), seq: { $gte: from } },
    { sort: { seq: 1 }, hint: 'number', projection: { seq: 1, recordedAt: 1 } },
  )

/** Returns the number of the oldest kept event; undefined where there is none. */
export const oldestNumber = async (connection: ServiceConnection, workspaceId: string): Promise<number | undefined> =>
  (await nextNumbered(connection, workspaceId, 0))?.seq

/** Finds the number before the first event that was recorded since a moment: numbers and these times rise together. */
export async function numberBefore(connection: ServiceConnection, workspaceId: string, since: Date): Promise<number> {
  let high = (await readHeads(connection, [workspaceId])).get(workspaceId) ?? 0
  let low = (await oldestNumber(connection, workspaceId)) ?? high + 1
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const event = await nextNumbered(connection, workspaceId, middle)
    if (event && event.recordedAt < since) low = (event.seq ?? middle) + 1
    else high = middle - 1
  }
  return low - 1
}

/** Returns the last number given in each of these workspaces. */
export async function readHeads(
  connection: ServiceConnection,
  workspaceIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = workspaceIds.map((id) => new Types.ObjectId(id))
  const heads = await eventLog(connection)
    .heads.find({ _id: { $in: ids } })
    .toArray()
  return new Map(heads.map(({ _id, seq }) => [_id.toHexString(), seq]))
}
