import mongoose, { type Connection } from 'mongoose'
import { type AppError, errors } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'

/**
 * Connects to MongoDB with what every service wants: acknowledged writes survive a failover (majority, journal), no index
 * is built behind a migration's back, and a server that is away is an error within seconds instead of a queue.
 * @throws when the server cannot be reached.
 */
export async function connectMongo(
  url: string,
  { name, logger, maxPoolSize = 50 }: { name: string; logger: Logger; maxPoolSize?: number },
): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    appName: name,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
    retryWrites: true,
    maxPoolSize,
    serverSelectionTimeoutMS: 3000,
    connectTimeoutMS: 3000,
    socketTimeoutMS: 15_000,
    waitQueueTimeoutMS: 3000,
  })
  let closing = false
  connection.on('disconnecting', () => {
    closing = true
  })
  connection.on('disconnected', () => {
    if (!closing) logger.error('mongodb is not reachable')
  })
  connection.on('reconnected', () => logger.info('mongodb is reachable again'))
  connection.on('error', (error: unknown) => logger.error({ err: error }, 'mongodb connection failed'))
  return connection.asPromise()
}

/** True when the server answers a ping. */
export async function mongoAnswers(connection: Connection): Promise<boolean> {
  const answer = await connection.db?.command({ ping: 1, maxTimeMS: 1000 })
  return answer?.['ok'] === 1
}

const outages = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoWriteConcernError',
])

/** A database that is away is 503 for the caller, who may try again; anything else stays an internal error. */
export function translateMongoError(error: unknown): AppError | undefined {
  return error instanceof Error && outages.has(error.name) ? errors.serviceUnavailable(error) : undefined
}

/** E11000: another call wrote a document of the same unique key first. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11_000
