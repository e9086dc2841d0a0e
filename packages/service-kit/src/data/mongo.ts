import mongoose, { type Connection } from 'mongoose'
import { type AppError, errors } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import { isOutage } from './mongo-outage.ts'

interface Options {
  readonly name: string
  readonly logger: Logger
  readonly maxPoolSize?: number
  /** Milliseconds after which a call without an answer fails; 0 waits for as long as it takes. */
  readonly socketTimeoutMs?: number
}

const minPoolSize = 5

/**
 * A connection to MongoDB that is not open yet, with what every service wants: acknowledged writes survive a failover
 * (majority, journal), what has been read is never taken back and every later transaction finds it (majority), no index is
 * built behind a migration's back, and a server that is away is an error within seconds instead of a queue.
 * @returns `connect` may be called again after it has rejected.
 */
export function prepareMongo(url: string, { name, logger, maxPoolSize = 50, socketTimeoutMs = 15_000 }: Options) {
  const connection = mongoose.createConnection()
  connection.on('error', () => {
    // An error that nothing listens to would end the process; each attempt reports to its caller.
  })
  const connect = async (): Promise<void> => {
    await connection.openUri(url, {
      appName: name,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
      readConcernLevel: 'majority',
      retryWrites: true,
      maxPoolSize,
      // Opening a connection takes a while, which the first calls of a busy minute would wait for.
      minPoolSize,
      serverSelectionTimeoutMS: 3000,
      connectTimeoutMS: 3000,
      // A server that stands still with its connections open is given up after this and `connectTimeoutMS`, with the calls that wait for it.
      heartbeatFrequencyMS: 4000,
      socketTimeoutMS: socketTimeoutMs,
      waitQueueTimeoutMS: 3000,
    })
    try {
      requireReplicaSet(await connection.db?.command({ hello: 1, maxTimeMS: 1000 }))
    } catch (error) {
      // The next attempt opens it anew.
      await connection.close()
      throw error
    }
    if (connection.listenerCount('disconnected') === 0) logOutages(connection, logger)
  }
  return { connection, connect }
}

/**
 * Checks that transactions are possible: without them the process would seem ready, and every change would fail.
 * @param hello answer of the command `hello` (MongoDB manual, Database Commands); that of a router of shards names no set.
 * @throws with a sentence for whoever reads the log, where the server belongs to no replica set or its set has no primary.
 */
function requireReplicaSet(hello: mongoose.mongo.BSON.Document | undefined): void {
  if (hello?.['msg'] === 'isdbgrid') return
  if (!hello?.['setName'])
    throw new Error('MONGODB_URL names a MongoDB that is no replica set: start it with --replSet and run rs.initiate()')
  if (!hello['primary'])
    throw new Error(`the replica set ${hello['setName']} of MONGODB_URL has no primary: rs.status() names its members`)
}

/**
 * A connection as services hold it. It leads to no model and no collection: those are reached through a scope alone
 * (`workspaceCollection`), so that no query can leave it.
 */
export type ServiceConnection = Pick<Connection, 'name'>

/** Returns the connection behind a service's handle, for the kit itself. */
export function fullConnection(connection: ServiceConnection): Connection {
  if (connection instanceof mongoose.Connection) return connection
  throw new Error('that is no connection to MongoDB')
}

/**
 * Opens {@link prepareMongo} for commands and migrations, whose calls may last: no caller waits for them, and building an index of a
 * large collection takes minutes. @throws when the server cannot be reached.
 */
export async function connectMongo(url: string, options: Omit<Options, 'socketTimeoutMs'>): Promise<Connection> {
  const { connection, connect } = prepareMongo(url, { ...options, socketTimeoutMs: 0 })
  await connect()
  return connection
}

function logOutages(connection: Connection, logger: Logger): void {
  let closing = false
  connection.on('disconnecting', () => {
    closing = true
  })
  connection.on('disconnected', () => {
    if (!closing) logger.error('mongodb is not reachable')
  })
  connection.on('reconnected', () => logger.info('mongodb is reachable again'))
  connection.on('error', (error: unknown) => logger.error({ err: error }, 'mongodb connection failed'))
}

/** True when the server answers a ping. */
async function mongoAnswers(connection: Connection): Promise<boolean> {
  const answer = await connection.db?.command({ ping: 1, maxTimeMS: 1000 })
  return answer?.['ok'] === 1
}

/**
 * A database that is away, or that takes no writes, is 503 for the caller, who may try again; an id that is none is 404;
 * anything else stays an internal error.
 */
export function translateMongoError(error: unknown): AppError | undefined {
  if (refusesWrites(error)) return errors.writesUnavailable(error)
  // The caller asked for an id that no record can have.
  if (error instanceof mongoose.Error.CastError && error.kind === 'ObjectId') return errors.notFound()
  return isOutage(error) ? errors.serviceUnavailable(error) : undefined
}

/** Codes OutOfDiskSpace and UserWritesBlocked. A storage engine with a full disk reports it in its message alone. */
const writeRefusals = new Set<unknown>([14_031, 371])
const refusesWrites = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError &&
  (writeRefusals.has(error.code) || /no space left on device/i.test(error.message))

/**
 * Remembers a refused write, so that `/readyz` can tell. Nothing is written to find out while all is well; after a refusal
 * each question is a small write of its own, until one is taken.
 */
export function watchWrites(database: ServiceConnection) {
  const connection = fullConnection(database)
  let refused = false
  return {
    translateError: (error: unknown): AppError | undefined => {
      refused ||= refusesWrites(error)
      return translateMongoError(error)
    },
    /** Returns whether the server answers, and whether it accepts writes as far as is known. */
    answers: async (): Promise<boolean | 'read-only'> => {
      if (!(await mongoAnswers(connection))) return false
      if (refused) refused = await isRefused(connection)
      return refused ? 'read-only' : true
    },
  }
}

async function isRefused({ db }: Connection): Promise<boolean> {
  const probe = db?.collection<{ _id: string; at: Date }>('readiness')
  try {
    await probe?.updateOne({ _id: 'write' }, { $set: { at: new Date() } }, { upsert: true })
    return false
  } catch (error) {
    if (refusesWrites(error)) return true
    throw error
  }
}

/** Code MaxTimeMSExpired: a read reached its `maxTimeMS`. */
export const isTimeLimit = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 50

/** Code E11000: another call first wrote a document of the same unique key. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11_000
