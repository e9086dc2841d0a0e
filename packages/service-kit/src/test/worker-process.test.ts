import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { startProcess, type TestProcess } from '../testing/start-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

// Processes start, are killed and started again.
vi.setConfig({ testTimeout: 180_000 })

const file = `${import.meta.dirname}/../testing/queue-worker.process.ts`
const patience = { timeout: 60_000 }
const lanes = 8

let database: TestDatabase
let redisUrl: string
let redis: Redis
let workers: TestProcess[]
beforeEach(async () => {
  workers = []
  redisUrl = await emptyTestRedis(inject('stack').urls.redis)
  redis = new Redis(redisUrl)
  database = await openTestDatabase(inject('stack').urls.mongodb)
  await items().createIndex({ lane: 1, done: 1, _id: 1 })
  await database.connection.createCollection('effects')
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()))
  redis.disconnect()
  await database.drop()
})

const items = () => database.connection.collection<{ _id: number; lane: number; done: boolean; at: Date }>('items')
const effects = () => database.connection.collection<{ item: number; lane: number }>('effects')
const slow = () => database.connection.collection('slow')

async function start() {
  const worker = await startProcess(
    file,
    { MONGODB_URL: database.url, REDIS_URL: redisUrl, LOG_LEVEL: 'info' },
    '/readyz',
  )
  workers.push(worker)
  return worker
}

let nextItem = 1
async function addItems(count: number) {
  const from = nextItem
  nextItem += count
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  await items().insertMany(numbers.map((_id) => ({ _id, lane: _id % lanes, done: false, at: new Date() })))
}
/** Every item once. */
async function expectAllDone() {
  await expect.poll(() => items().countDocuments({ done: false }), patience).toBe(0)
  const seen = await effects().find().sort({ _id: 1 }).toArray()
  expect(seen.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual(
    (await items().distinct('_id')).toSorted((a, b) => a - b),
  )
}

test('workers that are killed in the middle of their batches lose nothing and do nothing twice', async () => {
  await Promise.all([start(), start()])
  for (let kills = 0; kills < 3; kills += 1) {
    const before = await effects().countDocuments()
    await slow().insertOne({})
    await addItems(200)
    await expect.poll(() => effects().countDocuments(), patience).toBeGreaterThan(before)
    const victim = workers.shift()
    await victim?.kill()
    await slow().deleteMany({})
    await start()
  }
  await expectAllDone()
})

test('Redis emptied under running workers loses nothing', async () => {
  await start()
  await slow().insertOne({})
  await addItems(200)
  await expect.poll(() => effects().countDocuments(), patience).toBeGreaterThan(0)
  await redis.flushdb()
  await addItems(100)
  await slow().deleteMany({})
  await expectAllDone()
})

test('a worker that is told to stop finishes its batch, begins no other and ends with 0', async () => {
  const worker = await start()
  await slow().insertOne({})
  await addItems(300)
  // Four lanes at once, ten items each: all four batches are in hand.
  await expect.poll(() => effects().countDocuments(), patience).toBe(40)
  const ended = worker.stop()
  await expect.poll(() => worker.output(), patience).toContain('"msg":"stopping"')
  await slow().deleteMany({})
  expect(await ended).toBe(0)
  expect(await effects().countDocuments()).toBe(40)
  workers = []
  await start()
  await expectAllDone()
})

test('a worker tells of its queue and of the age of the work that waits', async () => {
  const worker = await start()
  const read = async (path: string) => {
    const answer = await fetch(`${worker.url}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  expect(await read('/readyz')).toMatchObject({
    status: 200,
    text: expect.stringContaining('"queue":"ok","backlog":"ok"'),
  })
  expect((await read('/metrics')).text).toMatch(/oldest_pending_work_seconds\{process="test-worker"\} 0\n/)
  // Work in a lane of its own that is being held: no other worker takes it.
  await slow().insertOne({})
  await items().insertOne({ _id: 0, lane: 3, done: false, at: new Date(Date.now() - 3600_000) })
  await expect.poll(() => effects().countDocuments(), patience).toBe(1)
  await items().insertOne({ _id: -1, lane: 3, done: false, at: new Date(Date.now() - 3600_000) })
  const oldest = /\noldest_pending_work_seconds\{process="test-worker"\} 36\d\d/
  await expect.poll(async () => (await read('/metrics')).text, patience).toMatch(oldest)
  const { text } = await read('/metrics')
  expect(text).toMatch(/\npending_work_seconds\{kind="drain",process="test-worker"\} 36\d\d/)
  expect(text).toMatch(/\npending_work_seconds\{kind="paced",process="test-worker"\} \d{10}/)
  expect(text).toMatch(/\nstopped_work_seconds\{reason="person",process="test-worker"\} \d{10}/)
  expect((await read('/readyz')).text).toContain('"backlog":"degraded"')
  expect((await read('/anything')).status).toBe(404)
  // The age of this one cannot be told.
  const unreadable = { _id: -2, lane: 5, done: false, at: 'x' }
  await database.connection.collection<typeof unreadable>('items').insertOne(unreadable)
  const ages = /\n(oldest_)?pending_work_seconds(\{.*)? [-\d]/
  await expect.poll(async () => (await read('/metrics')).text, patience).not.toMatch(ages)
  expect((await read('/metrics')).text).toContain('\nstopped_work_seconds{')
})
