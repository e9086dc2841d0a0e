import mongoose from 'mongoose'
import { expect, test } from 'vitest'
import { isConnectionLoss, isOutage } from './mongo-outage.ts'

const { mongo, Error: mongooseErrors } = mongoose
const serverError = (code: number) => new mongo.MongoServerError({ code, message: 'refused' })
const labelled = (label: string) => new mongo.MongoServerError({ code: 112, message: 'refused', errorLabels: [label] })
const socketError = (code: string) =>
  Object.assign(new Error('This socket has been ended by the other party'), { code })

// Errors of a mongod that starts, stops, or is no primary.
test.each([6, 7, 64, 89, 91, 133, 134, 189, 239, 246, 251, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])(
  'code %i is an outage',
  (code) => {
    expect(isOutage(serverError(code))).toBe(true)
  },
)

test.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ERR_STREAM_DESTROYED'])(
  'a socket that ends with %s under a command is an outage',
  (code) => {
    expect([isOutage(socketError(code)), isConnectionLoss(socketError(code))]).toEqual([true, true])
  },
)

test.each(['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableError'])(
  'an error that is labelled %s is an outage',
  (label) => {
    expect(isOutage(labelled(label))).toBe(true)
  },
)

class PoolClearedOnNetworkError extends mongo.MongoNetworkError {
  override get name() {
    return 'PoolClearedOnNetworkError'
  }
}

test.each([
  new mongo.MongoNetworkError('closed'),
  new PoolClearedOnNetworkError('interrupted'),
  new mongo.MongoNotConnectedError('Client must be connected before running operations'),
  new mongo.MongoTopologyClosedError(),
  new mongo.MongoClientClosedError(),
  new mongo.MongoExpiredSessionError(),
  new mongooseErrors.MongooseServerSelectionError('no server'),
  new mongooseErrors('Cannot call `users.findOne()` before initial connection is complete'),
])('$name is an outage', (error) => {
  expect(isOutage(error)).toBe(true)
})

/** Wraps an error as the driver does for a command of a bulk write. */
const ofBulkWrite = (error: Error) => Reflect.construct(mongo.MongoBulkWriteError, [error, {}])

test.each([
  [
    'a pool without a free connection',
    Object.assign(new mongo.MongoRuntimeError('Timed out'), { address: 'db:27017' }),
  ],
  ['no server', Reflect.construct(mongo.MongoServerSelectionError, ['no server', {}])],
  ['a socket that ends', socketError('EPIPE')],
  ['a label', labelled('RetryableWriteError')],
])('%s under a bulk write is an outage', (_name, error) => {
  expect(isOutage(ofBulkWrite(error))).toBe(true)
})

test.each([
  ['a duplicate key in a bulk write', ofBulkWrite(serverError(11_000))],
  ['a bulk write of what cannot be stored', ofBulkWrite(new Error('cyclic'))],
  ['credentials that are refused', serverError(18)],
  ['a duplicate key', serverError(11_000)],
  ['a conflict outside of a transaction', serverError(112)],
  ['a document of the wrong shape', new mongooseErrors.ValidationError()],
  ['a file that cannot be read', socketError('ENOENT')],
  ['an error of our own', new Error('closed')],
  ['no error at all', { code: 'EPIPE' }],
])('%s is none', (_name, error) => {
  expect(isOutage(error)).toBe(false)
})
