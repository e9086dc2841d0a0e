import mongoose from 'mongoose'
import { expect, test } from 'vitest'
import { translateMongoError } from './mongo.ts'

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
