import type { NewEvent } from '@parley/contracts/platform/events'
import type { NewServiceMessage } from '@parley/contracts/platform/service-messages'
import type { ClientSession } from 'mongoose'
import { unwrittenCall } from '../core/call-context.ts'
import { insertCallEntry } from './audit-log.ts'
import { insertEvents } from './event-log.ts'
import type { ServiceConnection } from './mongo.ts'
import { insertMessages } from './outbox.ts'
import { inSession } from './session.ts'

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

const maxEvents = 2000
const maxMessages = 100

/**
 * Runs `work` in a transaction (see {@link inSession}) and commits it with its events and messages, and with the audit entry of the
 * call at hand where this is its first one.
 * @returns what `work` has returned.
 * @param options.isChange tells of what `work` has returned whether anything was changed: without a change there is no audit entry.
 * @throws `service_unavailable` after five conflicts; whatever `work` throws, with nothing stored.
 */
export async function inTransaction<T>(
  database: ServiceConnection,
  work: (tx: Tx) => Promise<T>,
  { isChange = () => true }: { isChange?: (result: T) => boolean } = {},
): Promise<T> {
  const call = unwrittenCall()
  let writes = false
  return inSession(
    database,
    async (session) => {
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
      const result = await work({ session, emit, send })
      await insertEvents(database, (await completions.get(database)?.(events, session)) ?? events, session)
      await insertMessages(database, messages, session)
      writes = call?.entry === session && isChange(result)
      if (writes && call) await insertCallEntry(database, call, session)
      return result
    },
    (session, isCommitted) => {
      if (call?.entry === session) call.entry = isCommitted && writes ? 'done' : undefined
    },
  )
}
