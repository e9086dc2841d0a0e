import { randomInt } from 'node:crypto'
import {
  maxServiceMessages,
  type NewServiceMessage,
  type ServiceMessage,
} from '@parley/contracts/platform/service-messages'
import { type ClientSession, type Connection, Types } from 'mongoose'
import { fullConnection, type ServiceConnection } from './mongo.ts'

/** A message that waits for its delivery. */
type OutboxRow = OfMessage<ServiceMessage> & RowFields
type OfMessage<M extends ServiceMessage> = M extends unknown ? Pick<M, 'by' | 'type' | 'data'> : never

interface RowFields {
  readonly _id: Types.ObjectId
  readonly workspaceId: Types.ObjectId
  readonly to: string
  /** Position among the messages of the workspace, in the order of commits. */
  readonly seq: number
  readonly at: Date
  readonly dueAt: Date
  readonly tries: number
}

const outbox = (connection: ServiceConnection) => ({
  rows: fullConnection(connection).collection<OutboxRow>('outbox'),
  heads: fullConnection(connection).collection<{ _id: Types.ObjectId; seq: number }>('outboxHeads'),
})

/** Creates the collections and indexes of a service that sends messages; part of a migration. Safe to run again. */
export async function createOutboxIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('outbox').createIndex({ workspaceId: 1, to: 1, seq: 1 }, { unique: true, name: 'order' })
  await db.collection('outbox').createIndex({ dueAt: 1 }, { name: 'due' })
  const existing = await db.listCollections({ name: 'outboxHeads' }, { nameOnly: true }).toArray()
  if (existing.length === 0) await db.createCollection('outboxHeads')
}

/**
 * Part of `inTransaction`, which alone writes messages. Two transactions that send for the same workspace conflict on its head:
 * their messages have the order of their commits.
 */
export async function insertMessages(
  connection: ServiceConnection,
  messages: readonly NewServiceMessage[],
  session: ClientSession,
): Promise<void> {
  const { rows, heads } = outbox(connection)
  for (const [workspaceId, ofWorkspace] of Map.groupBy(messages, (message) => message.workspaceId)) {
    const id = new Types.ObjectId(workspaceId)
    const head = await heads.findOneAndUpdate(
      { _id: id },
      { $inc: { seq: ofWorkspace.length } },
      { session, upsert: true, returnDocument: 'after' },
    )
    if (!head) throw new Error('the head of an outbox was not written')
    const first = head.seq - ofWorkspace.length + 1
    const at = new Date()
    const stored = ofWorkspace.map(({ workspaceId: _workspaceId, ...message }, index) => ({
      ...message,
      _id: new Types.ObjectId(),
      workspaceId: id,
      seq: first + index,
      at,
      dueAt: at,
      tries: 0,
    }))
    await rows.insertMany(stored, { session, ignoreUndefined: true })
  }
}

/** Returns whether messages of a workspace wait for their delivery. */
export const hasMessages = async (connection: ServiceConnection, workspaceId: string): Promise<boolean> =>
  (await outbox(connection).rows.findOne({ workspaceId: new Types.ObjectId(workspaceId) }, { hint: 'order' })) !== null

/** Hands messages to the service that they are for. @throws where it has not confirmed them. */
type Deliver = (workspaceId: string, messages: readonly ServiceMessage[]) => Promise<void>

/** Pause after a failed delivery in milliseconds: it doubles, up to a minute. */
const firstPauseMs = 500
const maxPauseMs = 60_000

/**
 * Delivers the messages of transactions: each at least once, those of a workspace in their order. What is not confirmed is sent
 * again, with all that follows it.
 * @param addressees how each service is reached.
 */
export function createOutboxDelivery(connection: ServiceConnection, addressees: Readonly<Record<string, Deliver>>) {
  const { rows } = outbox(connection)

  /** Returns workspaces with messages that are due. */
  async function waiting(): Promise<string[]> {
    const found = await rows
      .aggregate<{ _id: Types.ObjectId }>(
        [{ $match: { dueAt: { $lte: new Date() } } }, { $group: { _id: '$workspaceId' } }, { $limit: 1000 }],
        { hint: 'due' },
      )
      .toArray()
    return found.map(({ _id }) => _id.toHexString())
  }

  /** Delivers the next messages of a workspace. @returns whether there is more to deliver now. @throws errors of the delivery. */
  async function deliver(workspaceId: string): Promise<boolean> {
    let hasMore = false
    for (const [to, send] of Object.entries(addressees)) {
      const recipient = { workspaceId: new Types.ObjectId(workspaceId), to }
      const next = await rows.find(recipient).sort({ seq: 1 }).limit(maxServiceMessages).hint('order').toArray()
      const last = next.at(-1)
      if (!last) continue
      try {
        await send(workspaceId, next.map(toMessage))
      } catch (error) {
        await postpone(recipient, Math.max(...next.map(({ tries }) => tries)))
        throw error
      }
      await rows.deleteMany({ ...recipient, seq: { $lte: last.seq } })
      hasMore ||= next.length === maxServiceMessages
    }
    return hasMore
  }

  async function postpone(recipient: Pick<OutboxRow, 'workspaceId' | 'to'>, tries: number): Promise<void> {
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** tries)
    const dueAt = new Date(Date.now() + pauseMs + randomInt(firstPauseMs))
    await rows.updateMany(recipient, { $set: { dueAt, tries: tries + 1 } })
  }

  /** Returns the time at which the oldest waiting message was recorded. */
  async function oldestAt(): Promise<Date | undefined> {
    const [first] = await rows.find().sort({ _id: 1 }).limit(1).hint('_id_').toArray()
    return first?.at
  }

  return { waiting, deliver, oldestAt }
}

function toMessage(row: OutboxRow): ServiceMessage {
  const head = { id: row._id.toHexString(), at: row.at.toISOString(), by: row.by }
  // The compiler pairs a type with its data one case at a time.
  switch (row.type) {
    case 'member.changed':
      return { ...head, type: row.type, data: row.data }
    case 'workspace.created':
      return { ...head, type: row.type, data: row.data }
    case 'workspace.state':
      return { ...head, type: row.type, data: row.data }
    default:
      return { ...head, type: row.type, data: row.data }
  }
}
