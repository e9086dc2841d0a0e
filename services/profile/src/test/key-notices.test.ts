import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKeysRepository } from '../modules/api-keys/api-keys.repository.ts'
import { createKeyNotices } from '../modules/api-keys/key-notices.ts'
import { startPeople } from './people.ts'
import type { Person } from './start-profile.ts'

const dayMs = 86_400_000

let people: Awaited<ReturnType<typeof startPeople>>
let ann: Person
beforeAll(async () => {
  people = await startPeople()
  ann = await people.profile.signIn()
})
afterAll(() => people.stop())

const { path } = apiKeysApi.list
const records = () => people.profile.database.connection.collection('apiKeys')
async function make(json: object = {}) {
  const { status, body } = await people.call(ann, 'POST', path, { name: 'Shop', scopes: ['contacts:read'], ...json })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.key
}
/** Lets a key come to its next notice, this long before its end. */
const age = ({ id }: { id: string }, leftMs: number) =>
  records().updateOne(
    { publicId: id },
    { $set: { expiresAt: new Date(Date.now() + leftMs), noticeAt: new Date(Date.now() - 1) } },
  )
const noticeOf = async ({ id }: { id: string }) => (await records().findOne({ publicId: id }))?.['noticeAt']
const told = ({ id }: { id: string }) =>
  people.messaging.received.flatMap((message) =>
    message.type === 'apiKey.ending' && message.data.keyId === id ? [message.data] : [],
  )

/** As the worker does it every minute. */
const sweep = () => {
  const { connection } = people.profile.database
  const keys = createApiKeysRepository(connection)
  return createKeyNotices({ keys, transaction: (work) => inTransaction(connection, work) })()
}

test('members are told a week and a day before a key ends, once each', async () => {
  const key = await make({ expiresInDays: 30 })
  expect((await noticeOf(key)).getTime()).toBe(Date.parse(key.expiresAt) - 7 * dayMs)
  await sweep()
  await age(key, 7 * dayMs - 1000)
  // By the worker itself.
  await expect.poll(() => told(key)).toMatchObject([{ name: 'Shop', days: 7 }])
  expect((await noticeOf(key)).getTime()).toBeGreaterThan(Date.now() + 5 * dayMs)
  await age(key, dayMs - 1000)
  await sweep()
  await sweep()
  await expect.poll(() => told(key).map(({ days }) => days)).toEqual([7, 1])
  expect(await noticeOf(key)).toBeUndefined()
})

test('a key that was replaced or revoked, or never expires, is not told of; a later end is told anew', async () => {
  const replaced = await make()
  await people.call(ann, 'POST', `${path}/${replaced.id}/rotate`, { overlapHours: 24 })
  const revoked = await make()
  await people.call(ann, 'DELETE', `${path}/${revoked.id}`)
  for (const key of [replaced, revoked, await make({ expiresInDays: null })])
    expect(await noticeOf(key)).toBeUndefined()
  const extended = await make({ expiresInDays: 30 })
  await age(extended, dayMs)
  await sweep()
  await expect.poll(() => told(extended)).toMatchObject([{ days: 1 }])
  const { body } = await people.call(ann, 'PATCH', `${path}/${extended.id}`, { expiresInDays: 365, version: 1 })
  expect((await noticeOf(extended)).getTime()).toBe(Date.parse(body.expiresAt) - 7 * dayMs)
})

test('workers that come to a notice at once tell of it once, and find it by an index', async () => {
  const key = await make()
  await age(key, 6 * dayMs)
  await expectIndexed(people.profile.database.connection, async () => {
    await Promise.all([sweep(), sweep(), sweep()])
  })
  await expect.poll(() => told(key)).toMatchObject([{ days: 6 }])
  // A delivered notice is deleted a moment later.
  const waiting = people.profile.database.connection.collection('outbox')
  await expect.poll(() => waiting.countDocuments({ 'data.keyId': key.id })).toBe(0)
})
