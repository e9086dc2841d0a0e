import mongoose from 'mongoose'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { prepareMongo, translateMongoError } from './mongo.ts'

const { MongoServerError, MongoNetworkError } = mongoose.mongo

test.each([
  ['OutOfDiskSpace', { code: 14_031, message: 'not enough disk space' }],
  ['what a storage engine on a full disk says', { code: 8, message: '28: No space left on device' }],
  ['UserWritesBlocked', { code: 371, message: 'User writes blocked' }],
])('%s: writes are unavailable, and may be tried again', (_name, description) => {
  expect(translateMongoError(new MongoServerError(description))).toMatchObject({
    code: 'writes_unavailable',
    status: 503,
    retryAfterSeconds: expect.any(Number),
  })
})

test.each([
  ['a lost connection', new MongoNetworkError('closed')],
  ['a server that has stepped down', new MongoServerError({ code: 10_107, errorLabels: ['RetryableWriteError'] })],
])('%s: the service is unavailable', (_name, error) => {
  expect(translateMongoError(error)).toMatchObject({ code: 'service_unavailable', status: 503 })
})

test('an id that no record can have is not found, and nothing else that does not fit a schema is', () => {
  const { CastError } = mongoose.Error
  expect(translateMongoError(new CastError('ObjectId', 'guessed', '_id'))).toMatchObject({ code: 'not_found' })
  expect(translateMongoError(new CastError('Number', 'many', 'unreadCount'))).toBeUndefined()
})

test('what trying again does not mend is not translated', () => {
  expect(translateMongoError(new MongoServerError({ code: 18, message: 'Authentication failed.' }))).toBeUndefined()
  expect(translateMongoError(new Error('no space left on device'))).toBeUndefined()
})

afterEach(() => void vi.restoreAllMocks())

/** Connects to a server that answers `hello` so. */
function connectTo(hello: object): { connecting: Promise<void>; closed: () => number } {
  const { connection, connect } = prepareMongo('mongodb://db/parley', {
    name: 'test',
    logger: pino({ enabled: false }),
  })
  vi.spyOn(connection, 'openUri').mockImplementation(async () => {
    Object.assign(connection, { db: { command: async () => ({ ok: 1, ...hello }) } })
    return connection
  })
  const close = vi.spyOn(connection, 'close').mockResolvedValue()
  return { connecting: connect(), closed: () => close.mock.calls.length }
}

test.each([
  ['a server alone', {}, 'is no replica set'],
  ['a set that has elected nobody', { setName: 'rs0' }, 'rs0 of MONGODB_URL has no primary'],
])('%s is not reached, and the reason says what to do', async (_name, hello, sentence) => {
  const { connecting, closed } = connectTo(hello)
  await expect(connecting).rejects.toThrow(sentence)
  expect(closed()).toBe(1)
})

test.each([
  ['a replica set with its primary', { setName: 'rs0', primary: 'db:27017' }],
  ['a router of shards', { msg: 'isdbgrid' }],
])('%s is reached', async (_name, hello) => {
  const { connecting, closed } = connectTo(hello)
  await connecting
  expect(closed()).toBe(0)
})
