import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { NewEvent } from '@parley/contracts/platform/events'
import type { NewServiceMessage } from '@parley/contracts/platform/service-messages'
import mongoose, { type ClientSession } from 'mongoose'
import { unwrittenCall } from '../core/call-context.ts'
import { errors } from '../core/errors.ts'
import { insertCallEntry } from './audit-log.ts'
import { insertEvents } from './event-log.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import { isConnectionLoss } from './mongo-outage.ts'
import { insertMessages } from './outbox.ts'

/** Tools that a transaction gives to its work. */
export interface Tx {
  /** For the `session` option of every read and write. They run one after the other. */
  readonly session: ClientSession
  /** Records an event together with the change, or not at all. @throws where its data does not have the shape of its type. */
  readonly emit: (event: NewEvent) => void
  /** Records a message to another service together with the change, or not at all. A worker delivers it (`outbox.ts`). */
  readonly send: (message: NewServiceMessage) => void
}

/** Runs work in a transaction, again where it conflicts with another, and gives what it returns. See {@link inTransaction}. */
export type RunInTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Completes the events of a transaction with what is read in it. @returns those to be recorded, in their order. */
export type CompleteEvents = (events: readonly NewEvent[], session: ClientSession) => Promise<readonly NewEvent[]>

const completions = new WeakMap<ServiceConnection, CompleteEvents>()

/** Has the events of every transaction of a connection completed before they are recorded. */
export const completeEventsOf = (connection: ServiceConnection, complete: CompleteEvents): void => {
  completions.set(connection, complete)
}

const maxTries = 5
const maxEvents = 2000
const maxMessages = 100

/**
 * Runs `work` in a transaction and commits it with its events and messages, and with the audit entry of the call at hand where this is
 * its first one. `work` may run up to five times, so it calls nothing outside
 * the database. Two that change the same document conflict: one of them runs again.
 * @returns what `work` has returned.
 * @param options.isChange tells of what `work` has returned whether anything was changed: without a change there is no audit entry.
 * @throws `service_unavailable` after five conflicts; whatever `work` throws, with nothing stored.
 */
export async function inTransaction<T>(
  database: ServiceConnection,
  work: (tx: Tx) => Promise<T>,
  { isChange = () => true }: { isChange?: (result: T) => boolean } = {},
): Promise<T> {
  const session = await fullConnection(database).startSession()
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(database, session, work, isChange)
      } catch (error) {
        if (!isLostOr(error, 'TransientTransactionError') && !isOverdue(error)) throw error
        if (tries === maxTries) throw errors.serviceUnavailable(error)
        // Most conflicts are over at once. The last pause exceeds a second, for a busy machine.
        await wait(randomInt(20, 81) * 3 ** (tries - 1))
      }
    }
  } finally {
    await session.endSession()
  }
}

async function attempt<T>(
  connection: ServiceConnection,
  session: ClientSession,
  work: (tx: Tx) => Promise<T>,
  isChange: (result: T) => boolean,
): Promise<T> {
  const call = unwrittenCall()
  // Two transactions of one call at the same time write one entry.
  if (call && call.entry === undefined) {
    call.entry = session
    // An attempt before this one may have left some.
    call.created.length = 0
  }
  const events: NewEvent[] = []
  const emit = (event: NewEvent) => {
    if (events.length === maxEvents) throw new Error(`a transaction records at most ${maxEvents} events`)
    events.push(event)
  }
  const messages: NewServiceMessage[] = []
  const send = (message: NewServiceMessage) => {
    if (messages.length === maxMessages) throw new Error(`a transaction sends at most ${maxMessages} messages`)
    messages.push(message)
  }
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } })
  try {
    const result = await work({ session, emit, send })
    await insertEvents(connection, (await completions.get(connection)?.(events, session)) ?? events, session)
    await insertMessages(connection, messages, session)
    const writes = call?.entry === session && isChange(result)
    if (writes) await insertCallEntry(connection, call, session)
    await commit(session)
    if (call?.entry === session) call.entry = writes ? 'done' : undefined
    return result
  } catch (error) {
    if (call?.entry === session) call.entry = undefined
    // A lost connection leaves nothing to abort; the server does that.
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined)
    throw error
  }
}

/** Sends a commit whose answer was lost again: the server carries it out once. */
async function commit(session: ClientSession): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await session.commitTransaction()
      return
    } catch (error) {
      if (!isLostOr(error, 'UnknownTransactionCommitResult')) throw error
      if (tries === maxTries) throw errors.serviceUnavailable(error)
      await wait(randomInt(20, 81))
    }
  }
}

/** A connection was lost while a command waited for its socket: the driver labels its own errors only. */
const isLostOr = (error: unknown, label: string): boolean =>
  isConnectionLoss(error) || (error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label))

/** `TransactionExceededLifetimeLimitSeconds`: the server ends a transaction after a minute, also one that waited for a dead one. */
const overdue = 290
const isOverdue = (error: unknown): boolean => error instanceof mongoose.mongo.MongoError && error.code === overdue
