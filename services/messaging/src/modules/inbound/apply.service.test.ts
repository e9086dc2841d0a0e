import { errors } from '@parley/service-kit/core/errors'
import mongoose from 'mongoose'
import { expect, test } from 'vitest'
import { isPassing, nextBatchSize } from './apply.service.ts'

const { MongoInvalidArgumentError, MongoNetworkError, MongoServerError } = mongoose.mongo
const labelled = (label: string) => {
  const error = new MongoServerError({ message: 'WriteConflict', code: 112 })
  error.addErrorLabel(label)
  return error
}

test('a database that is away, changes its primary, is full or busy passes', () => {
  const errorsThatPass = [
    new MongoNetworkError('connection closed'),
    new MongoServerError({ message: 'not primary', code: 10_107 }),
    new MongoServerError({ message: 'interrupted at shutdown', code: 11_600 }),
    new MongoServerError({ message: 'no space left on device', code: 14_031 }),
    labelled('TransientTransactionError'),
    labelled('RetryableWriteError'),
    new mongoose.Error.MongooseServerSelectionError('no server'),
    errors.serviceUnavailable(new Error('a contact was merged meanwhile')),
  ]
  expect(errorsThatPass.filter((error) => !isPassing(error))).toEqual([])
})

test('what the database or its driver does not take stays as it is', () => {
  const lasting = [
    new MongoServerError({ message: 'exceeds maximum nested object depth', code: 15 }),
    new MongoServerError({ message: 'Document failed validation', code: 121 }),
    new MongoServerError({ message: 'E11000 duplicate key', code: 11_000 }),
    // Error of the driver itself, without a code.
    new MongoInvalidArgumentError('Document is larger than the maximum size 16777216'),
    new mongoose.Error.CastError('ObjectId', 'x', 'id'),
    errors.validation({ phone: 'Not a number' }),
    new RangeError('Maximum call stack size exceeded'),
  ]
  expect(lasting.filter(isPassing)).toEqual([])
})

test('batches take about a second: fewer events on a slow machine, more again once it is fast, and few tell nothing', () => {
  expect(nextBatchSize(300, { events: 300, tookMs: 300 })).toBe(300)
  expect(nextBatchSize(300, { events: 300, tookMs: 3000 })).toBe(100)
  expect(nextBatchSize(100, { events: 100, tookMs: 20_000 })).toBe(20)
  expect(nextBatchSize(20, { events: 20, tookMs: 40 })).toBe(40)
  expect(nextBatchSize(40, { events: 3, tookMs: 1 })).toBe(40)
})
