import { expect, test } from 'vitest'
import { hostOf } from '../environment.ts'
import { takesTransactions, withDatabase } from './mongodb.ts'

test.each([
  ['mongodb://127.0.0.1:27017/?replicaSet=rs0', 'mongodb://127.0.0.1:27017/parley_profile?replicaSet=rs0'],
  ['mongodb://a:1,b:2', 'mongodb://a:1,b:2/parley_profile'],
  ['mongodb+srv://db.example.com/other', 'mongodb+srv://db.example.com/parley_profile'],
  ['mongodb://u:p@a:1/users', 'mongodb://u:p@a:1/parley_profile?authSource=users'],
  ['mongodb://u:p@a:1/users?authSource=admin', 'mongodb://u:p@a:1/parley_profile?authSource=admin'],
])('%s leads to the service’s own database', (url, expected) => {
  expect(withDatabase(url, 'parley_profile')).toBe(expected)
})

test('a shown address never holds user or password', () => {
  expect(hostOf('mongodb://user:secret@db.example.com:27017/x?y=z')).toBe('db.example.com:27017')
  expect(hostOf('redis://:secret@cache.example.com')).toBe('cache.example.com')
})

test('a named server must be a replica set, and is waited for where it does not answer', () => {
  expect(takesTransactions(undefined)).toBe(false)
  expect(takesTransactions({ ok: 1, setName: 'rs0' })).toBe(true)
  expect(takesTransactions({ ok: 1, msg: 'isdbgrid' })).toBe(true)
  expect(() => takesTransactions({ ok: 1, isWritablePrimary: true })).toThrow('is no replica set')
})
