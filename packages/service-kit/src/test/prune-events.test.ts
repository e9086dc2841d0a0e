import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { consume } from '../data/consume.ts'
import { createEventIndexes, eventLog } from '../data/event-log.ts'
import { maxEventDays } from '../data/event-retention.ts'
import { createEventPruner, deleteOlder, noteReader } from '../data/prune-events.ts'
import { createSequencer } from '../data/sequencer.ts'
import { inTransaction } from '../data/transaction.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const dayMs = 86_400_000
let database: TestDatabase
let heads: ReturnType<typeof eventLog>['heads']
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createEventIndexes(db)
  await db.collection('eventHeads').createIndex({ prunedAt: 1 }, { name: 'pruned' })
  heads = eventLog(database.connection).heads
})
afterAll(() => database.drop())

let workspaceId: string
beforeEach(() => {
  workspaceId = newId()
})
const newId = () => new Types.ObjectId().toHexString()
const own = () => ({ workspaceId: new Types.ObjectId(workspaceId) })

/** Records numbered events, so many days ago. */
async function happened(daysAgo: number, count = 2): Promise<void> {
  const { connection } = database
  await inTransaction(connection, async (tx) => {
    for (let each = 0; each < count; each += 1)
      tx.emit({ workspaceId, type: 'contacts.changed', by: { kind: 'system' }, data: { count: 1 } })
  })
  await createSequencer({ connection, consumers: [{ consumer: 'slow' }, { consumer: 'elsewhere' }] }).sequence(
    workspaceId,
  )
  const recordedAt = new Date(Date.now() - daysAgo * dayMs)
  await eventLog(connection).events.updateMany(
    { ...own(), recordedAt: { $gt: new Date(Date.now() - dayMs / 24) } },
    { $set: { recordedAt } },
  )
}
const readAll = async () => {
  await consume({ connection: database.connection, consumer: 'slow', workspaceId, handle: async () => undefined })
  await heads.updateOne({ _id: own().workspaceId }, { $pull: { due: 'elsewhere' } })
}
const pruner = (goesBack = false, now = Date.now) =>
  createEventPruner({
    connection: database.connection,
    days: 3,
    maxDays: maxEventDays,
    goesBack: async () => goesBack,
    now,
  })
const prune = (goesBack?: boolean) => pruner(goesBack).perform({ workspaceId }, () => undefined)
const numbers = async () =>
  (await eventLog(database.connection).events.find(own()).sort({ seq: 1 }).toArray()).map(({ seq }) => seq)

test('events that all have read go once they are old, those of another workspace do not', async () => {
  await happened(5)
  await happened(1)
  await readAll()
  const kept = workspaceId
  workspaceId = newId()
  await happened(5)
  await readAll()
  await prune()
  expect(await numbers()).toEqual([])
  workspaceId = kept
  expect(await numbers()).toEqual([1, 2, 3, 4])
  await prune()
  expect(await numbers()).toEqual([3, 4])
})

test('an event that a consumer has not read stays, however old, whether its cursor is here or elsewhere', async () => {
  await happened(20)
  await readAll()
  await happened(10)
  await heads.updateOne({ _id: own().workspaceId }, { $pull: { due: 'elsewhere' } })
  await prune()
  expect(await numbers()).toEqual([3, 4])
  await heads.updateOne({ _id: own().workspaceId }, { $addToSet: { due: 'elsewhere' } })
  await readAll()
  await heads.updateOne({ _id: own().workspaceId }, { $addToSet: { due: 'elsewhere' } })
  await prune()
  expect(await numbers()).toEqual([3, 4])
  await readAll()
  await prune()
  expect(await numbers()).toEqual([])
})

test('where somebody goes back to old events they stay: a feature, or a reader with its own cursor', async () => {
  await happened(5)
  await readAll()
  await prune(true)
  expect(await numbers()).toEqual([1, 2])
  await noteReader(database.connection, workspaceId)
  await prune()
  expect(await numbers()).toEqual([1, 2])
  await heads.updateOne({ _id: own().workspaceId }, { $set: { readAt: new Date(Date.now() - 31 * dayMs) } } as object)
  await prune()
  expect(await numbers()).toEqual([])
})

test('a workspace is due at first, and again after hours', async () => {
  await happened(1)
  await readAll()
  const isDue = async (at: number) =>
    (await pruner(false, () => at).due()).some((record) => record.workspaceId === workspaceId)
  const now = Date.now()
  expect(await isDue(now)).toBe(true)
  await prune()
  expect(await isDue(now)).toBe(false)
  expect(await isDue(now + dayMs)).toBe(true)
})

test('very many old events take several jobs, and all go', async () => {
  const { events } = eventLog(database.connection)
  await happened(5, 1)
  const [first] = await events.find(own()).toArray()
  if (!first) throw new Error('no event')
  const count = 41_000
  await events.insertMany(
    Array.from({ length: count }, (_, index) => ({ ...first, _id: new Types.ObjectId(), seq: index + 2 })),
  )
  await heads.updateOne({ _id: own().workspaceId }, { $set: { seq: count + 1 } })
  await readAll()
  for (;;)
    if (
      !(await consume({
        connection: database.connection,
        consumer: 'slow',
        workspaceId,
        handle: async () => undefined,
        limit: 20_000,
      }))
    )
      break
  let jobs = 0
  for (let isMore = true; isMore; jobs += 1) {
    isMore = false
    await pruner().perform({ workspaceId }, () => (isMore = true))
  }
  expect([jobs, await numbers()]).toEqual([2, []])
})

test('documents whose time is over go some at a time', async () => {
  const { db } = database.connection
  if (!db) throw new Error('not open')
  const raw = db.collection('raw')
  await raw.createIndex({ appliedAt: 1 }, { name: 'kept' })
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs)
  await raw.insertMany([
    ...Array.from({ length: 2500 }, () => ({ appliedAt: at(3) })),
    { appliedAt: at(1), name: 'new' },
    { name: 'waits' },
  ])
  const older = { collection: 'raw', field: 'appliedAt', index: 'kept', before: at(2) }
  expect([await deleteOlder(database.connection, older), await deleteOlder(database.connection, older)]).toEqual([
    true,
    false,
  ])
  expect((await raw.find().toArray()).map(({ name }) => name).sort()).toEqual(['new', 'waits'])
})
