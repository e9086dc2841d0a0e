import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createRedis } from '../core/redis.ts'
import { createEventIndexes, eventLog } from '../data/event-log.ts'
import { createEventPublisher, createEventStream } from '../data/event-stream.ts'
import { createSequencer } from '../data/sequencer.ts'
import { inTransaction } from '../data/transaction.ts'
import type { StreamEvent } from '../http/send-events.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const logger = createLogger({ name: 'test', level: 'silent' })
let database: TestDatabase
let redis: ReturnType<typeof createRedis>
let stream: ReturnType<typeof createEventStream>
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createEventIndexes(db)
  redis = createRedis(inject('stack').urls.redis, { name: 'test', logger })
  await vi.waitUntil(() => redis.status === 'ready')
  stream = createEventStream({ connection: database.connection, redis })
})
afterAll(async () => {
  await stream.close()
  redis.disconnect()
  await database.drop()
})

let workspaceId: string
let leaving: AbortController
beforeEach(() => {
  workspaceId = new Types.ObjectId().toHexString()
  leaving = new AbortController()
})
afterEach(() => leaving.abort())

/** Records events and numbers them; `published` says whether Redis gets them. */
async function happen(count: number, published = true): Promise<void> {
  const memberId = new Types.ObjectId().toHexString()
  await inTransaction(database.connection, async ({ emit }) => {
    for (let version = 1; version <= count; version += 1) {
      const data = { memberId, userId: memberId, role: 'agent' as const, status: 'active' as const, version }
      emit({ workspaceId, type: 'member.changed', recordId: memberId, version, by: { kind: 'system' }, data })
    }
  })
  const { publish } = createEventPublisher(redis)
  await createSequencer({ connection: database.connection, consumers: [], ...(published && { publish }) }).sequence(
    workspaceId,
  )
}
/** Opens a stream and notes what comes. */
function read(after?: number) {
  const items: StreamEvent[] = []
  const ended = (async () => {
    for await (const item of await stream.open({ workspaceId, after, signal: leaving.signal })) items.push(item)
  })()
  return { ended, ids: () => items.map(({ id, event }) => (event === 'member.changed' ? Number(id) : event)), items }
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('without a number only what happens from now on comes, as it happens', async () => {
  await happen(2)
  const { ids } = read()
  const { publishUnlogged } = createEventPublisher(redis)
  // Unlogged events are lost until the reader has joined.
  await vi.waitUntil(async () => (await publishUnlogged(workspaceId, 'joined', {})) === undefined && ids().length > 0)
  await happen(3)
  await expect.poll(() => ids().filter((id) => id !== 'joined')).toEqual([3, 4, 5])
})

test('a stream that is open misses nothing, however late it is read', async () => {
  const opened = await stream.open({ workspaceId, signal: leaving.signal })
  const { publishUnlogged } = createEventPublisher(redis)
  await publishUnlogged(workspaceId, 'typing', {})
  await happen(1)
  expect((await opened.next()).value).toMatchObject({ event: 'member.changed', id: '1' })
  const next = await stream.open({ workspaceId, signal: leaving.signal })
  await publishUnlogged(workspaceId, 'typing', {})
  expect((await next.next()).value).toMatchObject({ event: 'typing', id: '1' })
})

test('after a number everything comes, once and in order, however much Redis has kept', async () => {
  await happen(900)
  const { ids } = read(10)
  await expect.poll(() => ids().length).toBe(890)
  await happen(2)
  await expect.poll(ids).toEqual(upTo(902, 11))
})

test('what Redis never got is read from the database, and what it gets afterwards follows it', async () => {
  await happen(1)
  const { ids } = read(0)
  await expect.poll(ids).toEqual([1])
  await happen(2, false)
  await happen(1)
  await expect.poll(ids).toEqual([1, 2, 3, 4])
  await happen(1, false)
  await expect.poll(ids).toEqual([1, 2, 3, 4, 5])
})

test('a reader that takes nothing for long reads on from the database: nothing is missing, what waited was bounded', async () => {
  await happen(1)
  const slow = await stream.open({ workspaceId, after: 0, signal: leaving.signal })
  expect((await slow.next()).value).toMatchObject({ id: '1' })
  const other = read(1)
  for (let batch = 0; batch < 3; batch += 1) await happen(300)
  await expect.poll(() => other.ids().length).toBe(900)
  const received: number[] = []
  for await (const { id } of slow) {
    received.push(Number(id))
    if (received.length === 900) break
  }
  expect(received).toEqual(upTo(901, 2))
})

test('a number that is kept no longer, and one that was never given, is a reset', async () => {
  await happen(5)
  await eventLog(database.connection).events.deleteMany({
    seq: { $lte: 3 },
    workspaceId: new Types.ObjectId(workspaceId),
  })
  const { ids } = read(1)
  const future = read(99)
  const kept = read(3)
  await expect.poll(ids).toEqual(['reset'])
  await expect.poll(future.ids).toEqual(['reset'])
  await expect.poll(kept.ids).toEqual([4, 5])
  expect(future.items[0]?.id).toBe('5')
  await happen(1)
  await expect.poll(ids).toEqual(['reset', 6])
  await expect.poll(future.ids).toEqual(['reset', 6])
})

test('whoever has missed events of which none is kept any more is told at once, not with the next one', async () => {
  await happen(3)
  await eventLog(database.connection).events.deleteMany({ workspaceId: new Types.ObjectId(workspaceId) })
  const { ids } = read(1)
  const current = read(3)
  await expect.poll(ids).toEqual(['reset'])
  await happen(1)
  await expect.poll(ids).toEqual(['reset', 4])
  await expect.poll(current.ids).toEqual([4])
})

test('what is told and not logged reaches open streams, between events, and changes no number', async () => {
  await happen(1)
  const { ids, items } = read(0)
  await expect.poll(ids).toEqual([1])
  const { publishUnlogged } = createEventPublisher(redis)
  await publishUnlogged(workspaceId, 'typing', { userId: 'ann' })
  await expect.poll(ids).toEqual([1, 'typing'])
  expect(items[1]).toEqual({ id: '1', event: 'typing', data: { userId: 'ann' } })
  await happen(1)
  await expect.poll(ids).toEqual([1, 'typing', 2])
})

test('Redis holds the numbers of events and nothing of what they say', async () => {
  await happen(3)
  const entries = await redis.xrange(`events:{${workspaceId}}`, '-', '+')
  expect(entries).toEqual([['3-0', ['numbered', '']]])
})

test('many who read one workspace get each event once, also what happens while it is read', async () => {
  await happen(1)
  const readers = Array.from({ length: 5 }, () => read(0))
  for (const { ids } of readers) await expect.poll(ids).toEqual([1])
  // In the middle more than is read at once.
  for (const count of [30, 210, 30]) await happen(count)
  for (const { ids } of readers) await expect.poll(ids).toEqual(upTo(271))
})

test('another workspace is not heard, and a stream ends with its signal', async () => {
  const { ids, ended } = read(0)
  const heardWorkspaceId = workspaceId
  workspaceId = new Types.ObjectId().toHexString()
  await happen(1)
  workspaceId = heardWorkspaceId
  await happen(1)
  await expect.poll(ids).toEqual([1])
  leaving.abort()
  await ended
})
