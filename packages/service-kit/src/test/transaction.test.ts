import { eventSchema, type NewEvent } from '@parley/contracts/platform/events'
import { mongo, Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createEventIndexes, eventLog, toEvent } from '../data/event-log.ts'
import { measureCollections } from '../data/measure-collections.ts'
import { fullConnection } from '../data/mongo.ts'
import { openDatabase } from '../data/open-database.ts'
import { inTransaction, type Tx } from '../data/transaction.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createEventIndexes(db)
  await db.createCollection('counters')
})
afterAll(() => database.drop())

let workspaceId: string
beforeEach(async () => {
  workspaceId = new Types.ObjectId().toHexString()
  await counters().deleteMany({})
})
const counters = () => database.connection.collection<{ _id: string; value: number }>('counters')
const value = async () => (await counters().findOne({ _id: 'one' }))?.value ?? 0
const increment = ({ session }: Tx) =>
  counters().updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session, upsert: true })
const stored = () =>
  eventLog(database.connection)
    .events.find({ workspaceId: new Types.ObjectId(workspaceId) })
    .toArray()

const memberChanged = (version: number): NewEvent => {
  const ids = { memberId: 'a'.repeat(24), userId: 'b'.repeat(24) }
  return {
    workspaceId,
    type: 'member.changed',
    recordId: ids.memberId,
    version,
    by: { kind: 'system' },
    data: { ...ids, role: 'agent', status: 'active', version },
  }
}

test('change and event are stored together, and its result comes back', async () => {
  const result = await inTransaction(database.connection, async (tx) => {
    await increment(tx)
    tx.emit(memberChanged(1))
    return 'done'
  })
  expect([result, await value()]).toEqual(['done', 1])
  const [event, ...others] = await stored()
  expect(others).toEqual([])
  expect(event?.fresh).toBe(true)
  if (event) expect(eventSchema.parse({ ...toEvent(event), seq: 1 })).toMatchObject({ ...memberChanged(1), chain: [] })
})

test('work that throws leaves neither change nor event, and is not run again', async () => {
  let runs = 0
  const failing = inTransaction(database.connection, async (tx) => {
    runs += 1
    await increment(tx)
    tx.emit(memberChanged(1))
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect([runs, await value(), await stored()]).toEqual([1, 0, []])
})

test('an event whose data has not the shape of its type takes the change with it', async () => {
  const failing = inTransaction(database.connection, async (tx) => {
    await increment(tx)
    tx.emit({ ...memberChanged(1), data: { role: 'king' } } as never)
  })
  await expect(failing).rejects.toThrow(/role/)
  expect([await value(), await stored()]).toEqual([0, []])
})

test('of transactions that conflict each is carried out once, with its event', async () => {
  await increment({ session: undefined as never, emit: () => undefined, send: () => undefined })
  const run = (version: number) =>
    inTransaction(database.connection, async (tx) => {
      await increment(tx)
      tx.emit(memberChanged(version))
    })
  const results = await Promise.allSettled([1, 2, 3].map(run))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(await value()).toBe(4)
  expect((await stored()).map(({ version }) => version).sort()).toEqual([1, 2, 3])
})

test('a document that stays locked ends in 503 after five tries, and nothing is stored', async () => {
  await counters().insertOne({ _id: 'one', value: 1 })
  const holder = await database.connection.startSession()
  holder.startTransaction()
  await counters().updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session: holder })
  let runs = 0
  const blocked = inTransaction(database.connection, async (tx) => {
    runs += 1
    tx.emit(memberChanged(1))
    await increment(tx)
  })
  await expect(blocked).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  await holder.abortTransaction()
  await holder.endSession()
  expect([runs, await value(), await stored()]).toEqual([5, 1, []])
})

test('attempts of transactions are counted by their end, and waits for a connection are measured', async () => {
  const metrics = createMetrics('test')
  const { connection, isOpen, close } = openDatabase(
    { MONGODB_URL: database.url, MONGODB_POOL_SIZE: 5 },
    {
      name: 'measured',
      logger: createLogger({ name: 'test', level: 'silent' }),
      metrics,
      migrations: [{ number: 7, name: 'seven', load: async () => ({ up: async () => {} }) }],
      onHopeless: () => {},
    },
  )
  expect((await metrics.render()).text).toMatch(/^build_info\{version=".+",migration="",process="test"\} 1$/m)
  await vi.waitUntil(isOpen)
  expect((await metrics.render()).text).toMatch(/^build_info\{version=".+",migration="7",process="test"\} 1$/m)
  const holder = await database.connection.startSession()
  try {
    const incrementThere = ({ session }: Tx) =>
      fullConnection(connection)
        .collection<{ _id: string; value: number }>('counters')
        .updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session, upsert: true })
    await inTransaction(connection, incrementThere)
    holder.startTransaction()
    await counters().updateOne({ _id: 'one' }, { $inc: { value: 1 } }, { session: holder })
    await expect(inTransaction(connection, incrementThere)).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(inTransaction(connection, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  } finally {
    await holder.abortTransaction()
    await holder.endSession()
    await close()
  }
  const { text } = await metrics.render()
  const attempts = [...text.matchAll(/^transaction_attempts_total\{result="(\w+)".*\} (\d+)$/gm)]
  expect(attempts.map(([, result, count]) => `${result} ${count}`)).toEqual(['committed 1', 'repeated 4', 'failed 2'])
  expect(text).toMatch(/^mongodb_pool_wait_seconds_count\{process="test"\} [1-9]/m)
})

test('disk of each collection is measured', async () => {
  const metrics = createMetrics('test')
  measureCollections(database.connection, metrics)
  const { text } = await metrics.render()
  for (const name of ['counters', 'events']) {
    const [, bytes] =
      new RegExp(`^collection_size_bytes\\{collection="${name}",process="test"\\} (\\d+)$`, 'm').exec(text) ?? []
    expect(Number(bytes)).toBeGreaterThanOrEqual(4096)
  }
})

const ended = () => Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })

test('work whose connection is lost is run again, and stored once', async () => {
  let runs = 0
  await inTransaction(database.connection, async (tx) => {
    runs += 1
    await increment(tx)
    tx.emit(memberChanged(1))
    if (runs === 1) throw ended()
  })
  expect([runs, await value(), (await stored()).length]).toEqual([2, 1, 1])
})

test('work that the server has ended because it took a minute is run again, and stored once', async () => {
  let runs = 0
  await inTransaction(database.connection, async (tx) => {
    runs += 1
    await increment(tx)
    tx.emit(memberChanged(1))
    const message = 'operation was interrupted because the transaction exceeded the configured limit'
    if (runs === 1) throw new mongo.MongoServerError({ message, code: 290 })
  })
  expect([runs, await value(), (await stored()).length]).toEqual([2, 1, 1])
})

test('a commit whose answer is lost with the connection is sent again, and carried out once', async () => {
  let runs = 0
  await inTransaction(database.connection, async (tx) => {
    runs += 1
    await increment(tx)
    tx.emit(memberChanged(1))
    const { session } = tx
    const commit = session.commitTransaction.bind(session)
    vi.spyOn(session, 'commitTransaction').mockImplementationOnce(async () => {
      await commit()
      throw ended()
    })
  })
  expect([runs, await value(), (await stored()).length]).toEqual([1, 1, 1])
})
