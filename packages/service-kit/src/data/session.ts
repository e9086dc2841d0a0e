import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import mongoose, { type ClientSession } from 'mongoose'
import { errors } from '../core/errors.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import { isConnectionLoss } from './mongo-outage.ts'

const maxTries = 5

/** Ends of one attempt of a transaction: a conflict, or a lost connection, is tried again. */
export const transactionResults = ['committed', 'repeated', 'failed'] as const
type CountTransaction = (result: (typeof transactionResults)[number]) => void
const counters = new WeakMap<object, CountTransaction>()

/** Has every attempt of a transaction of a database counted. */
export const countTransactions = (database: ServiceConnection, count: CountTransaction): void => {
  counters.set(database, count)
}

/**
 * Runs `work` in a transaction of the database and commits it. `work` may run up to five times, so it calls nothing outside the
 * database. Two that change the same document conflict: one of them runs again.
 * @param onEnd is told of each attempt whether it was committed.
 * @returns what `work` has returned.
 * @throws `service_unavailable` after five conflicts; whatever `work` throws, with nothing stored.
 */
export async function inSession<T>(
  database: ServiceConnection,
  work: (session: ClientSession) => Promise<T>,
  onEnd: (session: ClientSession, isCommitted: boolean) => void = () => undefined,
): Promise<T> {
  const session = await fullConnection(database).startSession()
  const count = counters.get(database)
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await attempt(session, work, onEnd)
        count?.('committed')
        return result
      } catch (error) {
        const isPassing = isLostOr(error, 'TransientTransactionError') || isOverdue(error)
        count?.(isPassing && tries < maxTries ? 'repeated' : 'failed')
        if (!isPassing) throw error
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
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  onEnd: (session: ClientSession, isCommitted: boolean) => void,
): Promise<T> {
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } })
  try {
    const result = await work(session)
    await commit(session)
    onEnd(session, true)
    return result
  } catch (error) {
    onEnd(session, false)
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
