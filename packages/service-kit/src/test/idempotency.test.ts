import { randomBytes } from 'node:crypto'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { errors } from '../core/errors.ts'
import { createSecretBox } from '../core/secret-box.ts'
import { createIdempotencyIndex, createIdempotencyStore } from '../data/idempotency-store.ts'
import { newId } from '../data/plain.ts'
import type { UserContext } from '../http/context.ts'
import { mount } from '../http/mount.ts'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser, workspaceId } from '../testing/shop-app.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const order = defineEndpoint({
  operation: 'orders.create',
  method: 'POST',
  path: '/orders',
  access: 'session',
  permission: 'member',
  summary: 'A new order.',
  body: z.object({ item: z.string(), address: z.string().optional() }),
  status: 201,
  response: z.object({ number: z.number() }),
  errors: ['contact_exists'],
})
const token = defineEndpoint({ ...order, operation: 'tokens.create', path: '/tokens', secretAnswer: true })
const remove = defineEndpoint({
  operation: 'orders.remove',
  method: 'DELETE',
  path: '/orders/:id',
  access: 'session',
  permission: 'member',
  summary: 'Removes an order.',
  params: z.object({ id: z.string() }),
  status: 204,
  errors: [],
})
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  if (database.connection.db) await createIdempotencyIndex(database.connection.db)
})
afterAll(() => database.drop())

/** Effects of the handlers, and what holds or fails them. */
let carriedOut: number
let ids: string[]
let gate: Promise<unknown>
let failure: unknown
let key: string
beforeEach(() => {
  carriedOut = 0
  ids = []
  gate = Promise.resolve()
  failure = undefined
  key = randomBytes(12).toString('hex')
})

const open: Awaited<ReturnType<typeof startBareApp>>[] = []
afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close()
})

async function start(options: Parameters<typeof createIdempotencyStore>[1] = {}) {
  const work = async (ctx: UserContext) => {
    carriedOut += 1
    ids.push(`${newId(ctx)} ${newId(ctx, 1)}`)
    await gate
    if (failure) throw failure
    return { number: carriedOut }
  }
  const bare = await startBareApp({
    idempotency: createIdempotencyStore(database.connection, options),
    modules: (scope) => {
      mount(scope, order, ({ ctx }) => work(ctx))
      mount(scope, token, ({ ctx }) => work(ctx))
      mount(scope, remove, async ({ ctx }) => void (await work(ctx)))
    },
  })
  open.push(bare)
  return async (
    body: object = { item: 'tea' },
    headers: Record<string, string> = { 'idempotency-key': key },
    url = '/orders',
  ) => {
    const answer = await bare.app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { ...asUser, ...headers },
    })
    return {
      status: answer.statusCode,
      body: answer.json(),
      retryAfter: answer.headers['retry-after'],
      replayed: answer.headers['idempotent-replayed'],
    }
  }
}
const kept = () => database.connection.collection('idempotencyKeys')

test('a call that is repeated with its key is carried out once and answered alike', async () => {
  const call = await start()
  const first = await call()
  expect(first).toMatchObject({ status: 201, body: { number: 1 }, replayed: undefined })
  expect(await call()).toEqual({ ...first, replayed: 'true' })
  expect(carriedOut).toBe(1)
})

test('a repetition that is carried out again has the intent of the first call, and so its ids', async () => {
  const call = await start()
  failure = errors.serviceUnavailable()
  await call()
  failure = undefined
  await call()
  await kept().updateMany({}, { $set: { leaseEndsAt: new Date(0) }, $unset: { answer: '' } })
  await call()
  await call({ item: 'tea' }, { 'idempotency-key': `${key}-2` })
  await call({ item: 'tea' }, {})
  const [failed, second, afterCrash, otherKey, withoutKey] = ids
  expect(failed).toMatch(/^[0-9a-f]{24} [0-9a-f]{24}$/)
  expect([second, afterCrash]).toEqual([failed, failed])
  expect(new Set([failed, otherKey, withoutKey]).size).toBe(3)
})

test('without a key, and with another one, each call is carried out', async () => {
  const call = await start()
  await call({ item: 'tea' }, {})
  await call({ item: 'tea' }, {})
  await call()
  await call({ item: 'tea' }, { 'idempotency-key': `${key}-2` })
  expect(carriedOut).toBe(4)
})

test('an answer without a body is given again too', async () => {
  await start()
  const { app } = open[0] ?? {}
  const call = (id: string) =>
    app?.inject({ method: 'DELETE', url: `/orders/${id}`, headers: { ...asUser, 'idempotency-key': key } })
  expect([(await call('1'))?.statusCode, (await call('1'))?.statusCode, carriedOut]).toEqual([204, 204, 1])
  expect((await call('2'))?.statusCode).toBe(422)
})

test('the same key for another body is refused', async () => {
  const call = await start()
  await call()
  expect(await call({ item: 'coffee' })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(carriedOut).toBe(1)
})

test('of ten at once one is carried out; the others are told to come back, and get its answer then', async () => {
  const call = await start()
  let release = (_: unknown) => {}
  gate = new Promise((resolve) => {
    release = resolve
  })
  const first = call()
  await expect.poll(() => carriedOut).toBe(1)
  const others = await Promise.all(Array.from({ length: 9 }, () => call()))
  for (const other of others) {
    expect(other).toMatchObject({ status: 409, body: { code: 'request_in_progress' } })
    expect(Number(other.retryAfter)).toBeGreaterThan(0)
  }
  release(undefined)
  expect(await first).toMatchObject({ status: 201 })
  expect(await call()).toEqual({ ...(await first), replayed: 'true' })
  expect(carriedOut).toBe(1)
})

test('a refusal that is final is given again, under the id of its own request', async () => {
  const call = await start()
  failure = errors.badRequest('That address does not exist.')
  const [first, second] = [await call(), await call()]
  expect(first).toMatchObject({ status: 400, body: { message: 'That address does not exist.' } })
  expect({ ...second.body, requestId: '' }).toEqual({ ...first.body, requestId: '' })
  expect(second.body.requestId).not.toBe(first.body.requestId)
  expect(carriedOut).toBe(1)
})

test.each([
  ['a fault of ours', () => new Error('unexpected')],
  ['a store that is away', () => errors.serviceUnavailable()],
  ['a limit', () => errors.rateLimited(1)],
])('%s is not kept: the next attempt is carried out', async (_name, fault) => {
  const call = await start()
  failure = fault()
  expect((await call()).status).toBeGreaterThanOrEqual(429)
  failure = undefined
  expect(await call()).toMatchObject({ status: 201, body: { number: 2 } })
})

test('input that is not valid uses no key up', async () => {
  const call = await start()
  expect((await call({ item: 7 })).status).toBe(400)
  expect((await call({ item: 'tea' })).status).toBe(201)
})

test('a call whose process died blocks its repetition until the lease ends, and no longer', async () => {
  const slow = await start()
  let release = (_: unknown) => {}
  gate = new Promise((resolve) => {
    release = resolve
  })
  const died = slow()
  await expect.poll(() => carriedOut).toBe(1)
  gate = Promise.resolve()
  expect((await slow()).status).toBe(409)
  await kept().updateMany({}, { $set: { leaseEndsAt: new Date(Date.now() - 1) } })
  expect(await slow()).toMatchObject({ status: 201, body: { number: 2 } })
  // A call that was taken for dead ends after all: its answer does not replace the one that was given.
  release(undefined)
  await died
  expect(await slow()).toMatchObject({ status: 201, body: { number: 2 } })
  expect(carriedOut).toBe(2)
})

test("keys belong to one caller: another person's answer is not given out", async () => {
  const store = createIdempotencyStore(database.connection)
  const call = { workspaceId, callerId: 'a'.repeat(24), operation: 'x', key, inputHash: 'h' }
  expect(await store.begin(call)).toMatchObject({ state: 'begun' })
  for (const other of [{ callerId: 'c'.repeat(24) }, { workspaceId: 'd'.repeat(24) }, { operation: 'y' }]) {
    expect(await store.begin({ ...call, ...other })).toMatchObject({ state: 'begun' })
  }
  expect(await store.begin(call)).toMatchObject({ state: 'running' })
})

test('answers are deleted after a day', async () => {
  const call = await start()
  await call()
  const indexes = await kept().indexes()
  expect(indexes.find(({ name }) => name === 'expiry')).toMatchObject({ expireAfterSeconds: 0, key: { expiresAt: 1 } })
  const [newest] = await kept().find().sort({ expiresAt: -1 }).limit(1).toArray()
  const hours = (Number(newest?.['expiresAt']) - Date.now()) / 3600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThanOrEqual(24)
})

test('an answer that holds a secret is stored sealed, any other as it is, so that erasing a person finds it', async () => {
  const call = await start({ box: createSecretBox([{ id: 'k1', key: randomBytes(32) }]) })
  const bodyOf = async (url: string) => {
    await kept().deleteMany({})
    const first = await call(undefined, undefined, url)
    expect(await call(undefined, undefined, url)).toEqual({ ...first, replayed: 'true' })
    const [stored] = await kept().find().toArray()
    return stored?.['answer'].body
  }
  expect(await bodyOf('/tokens')).toMatch(/^k1\.[\w-]+$/)
  expect(await bodyOf('/orders')).toBe('{"number":2}')
})

test('without a key ring an answer that holds a secret is not kept', async () => {
  const call = await start()
  await kept().deleteMany({})
  await call(undefined, undefined, '/tokens')
  expect(await call(undefined, undefined, '/tokens')).toMatchObject({ status: 201, body: { number: 2 } })
  expect(await kept().findOne()).not.toHaveProperty('answer')
})

test.each(['', 'with space', 'x'.repeat(256), 'ü'])('%j is no key', async (bad) => {
  const call = await start()
  expect((await call({ item: 'tea' }, { 'idempotency-key': bad })).status).toBe(400)
  expect(carriedOut).toBe(0)
})
