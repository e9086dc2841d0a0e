import { setTimeout as wait } from 'node:timers/promises'
import type { NewEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { consume, dueWorkspaces, unreadSince } from '../data/consume.ts'
import { createEventIndexes, createLaneIndex, eventLog, readEvents, readHeads } from '../data/event-log.ts'
import { createSequencer } from '../data/sequencer.ts'
import { inTransaction } from '../data/transaction.ts'
import { startCommand } from '../testing/start-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const consumer = 'copy'
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createEventIndexes(db)
  await createLaneIndex(db)
  await db.createCollection('copies')
})
afterAll(() => database.drop())

let workspaceId: string
beforeEach(() => {
  workspaceId = new Types.ObjectId().toHexString()
})

const memberChanged = (version: number, memberId = new Types.ObjectId().toHexString()): NewEvent => ({
  workspaceId,
  type: 'member.changed',
  recordId: memberId,
  version,
  by: { kind: 'system' },
  data: { memberId, userId: memberId, role: 'agent', status: 'active', version },
})
const emit = (...events: NewEvent[]) =>
  inTransaction(database.connection, async (tx) => {
    for (const event of events) tx.emit(event)
  })
const sequencer = () => createSequencer({ connection: database.connection, consumers: [{ consumer }] })
const all = () => readEvents(database.connection, { workspaceId, after: 0, limit: 10_000 })
const copies = () => database.connection.collection<{ workspaceId: string; eventId: string; seq: number }>('copies')
/** A consumer that keeps a copy of every event in the transaction that moves its cursor. */
const copy = (limit?: number) =>
  consume({
    connection: database.connection,
    consumer,
    workspaceId,
    ...(limit !== undefined && { limit }),
    handle: async (events, { session }) => {
      await copies().insertMany(
        events.map(({ id, seq }) => ({ workspaceId, eventId: id, seq })),
        { session },
      )
    },
  })
const copied = () => copies().find({ workspaceId }).sort({ _id: 1 }).toArray()

test('numbers begin at 1, go on across batches and leave nothing fresh', async () => {
  for (let batch = 0; batch < 3; batch += 1) await emit(...Array.from({ length: 400 }, () => memberChanged(1)))
  expect(await sequencer().sequence(workspaceId)).toBe(1200)
  await emit(memberChanged(1))
  expect(await sequencer().sweep()).toBe(1)
  expect((await all()).map(({ seq }) => seq)).toEqual(Array.from({ length: 1201 }, (_, index) => index + 1))
  expect(await eventLog(database.connection).events.countDocuments({ fresh: true })).toBe(0)
  expect(await readHeads(database.connection, [workspaceId])).toEqual(new Map([[workspaceId, 1201]]))
})

test('a lower version with a higher id is taken along, also beyond the batch', async () => {
  const memberId = new Types.ObjectId().toHexString()
  await emit(memberChanged(2, memberId), ...Array.from({ length: 600 }, () => memberChanged(1)))
  await emit(memberChanged(1, memberId))
  await sequencer().sequence(workspaceId)
  const versions = (await all()).filter(({ recordId }) => recordId === memberId).map(({ version }) => version)
  expect(versions).toEqual([1, 2])
})

test('it is told since when the oldest event waits for a number, and since when for a consumer that it concerns', async () => {
  const { events } = eventLog(database.connection)
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const unread = (types?: readonly ['member.changed']) =>
    unreadSince(database.connection, [{ consumer: 'aged', ...(types && { types }) }, { consumer: 'other' }])
  const { oldestWaitingAt, sequence } = createSequencer({
    connection: database.connection,
    consumers: [{ consumer: 'aged' }],
  })
  const read = () => consume({ connection: database.connection, consumer: 'aged', workspaceId, handle: async () => {} })
  expect(await oldestWaitingAt()).toBe(undefined)
  await emit(memberChanged(1))
  const recorded = Math.floor(Date.now() / 1000)
  expect(Math.abs(Number(await oldestWaitingAt()) / 1000 - recorded)).toBeLessThan(30)
  await sequence(workspaceId)
  expect(await oldestWaitingAt()).toBe(undefined)
  await read()
  expect(await unread()).toEqual({ aged: undefined, other: undefined })
  await emit(memberChanged(1), memberChanged(2))
  await sequence(workspaceId)
  const at = [minutesAgo(40), minutesAgo(20), minutesAgo(10)]
  for (const [index, recordedAt] of at.entries())
    await events.updateOne({ workspaceId: new Types.ObjectId(workspaceId), seq: index + 1 }, { $set: { recordedAt } })
  expect(await unread()).toEqual({ aged: at[1], other: undefined })
  await events.updateOne({ workspaceId: new Types.ObjectId(workspaceId), seq: 2 }, { $set: { type: 'number.changed' } })
  expect(await unread(['member.changed'])).toEqual({ aged: at[2], other: undefined })
  await events.updateOne({ workspaceId: new Types.ObjectId(workspaceId), seq: 2 }, { $set: { type: 'member.changed' } })
  await read()
  expect(await unread()).toEqual({ aged: undefined, other: undefined })
})

test('a workspace that is stuck with few events is not hidden by many that are busy', async () => {
  const { events, heads } = eventLog(database.connection)
  const consumers = [{ consumer: 'slow' }, { consumer: 'quick' }]
  const { sequence } = createSequencer({ connection: database.connection, consumers })
  const head = () => heads.findOne({ _id: new Types.ObjectId(workspaceId) })
  const read = (name: string) =>
    consume({ connection: database.connection, consumer: name, workspaceId, handle: async () => {} })
  await emit(memberChanged(1))
  await sequence(workspaceId)
  const since = (await head())?.behindSince
  await read('quick')
  await emit(memberChanged(2))
  await sequence(workspaceId)
  expect(await head()).toMatchObject({ behindSince: since, due: expect.arrayContaining(['slow', 'quick']) })

  const busy = Array.from({ length: 60 }, () => new Types.ObjectId())
  const [now, longAgo] = [new Date(), new Date(Date.now() - 3600_000)]
  await heads.insertMany(busy.map((_id) => ({ _id, seq: 900, due: ['slow'], behindSince: now })))
  const common = { type: 'member.changed', at: now, recordedAt: now }
  await events.insertMany(busy.map((id) => ({ ...common, _id: new Types.ObjectId(), workspaceId: id, seq: 1 })))
  await events.updateOne({ workspaceId: new Types.ObjectId(workspaceId), seq: 1 }, { $set: { recordedAt: longAgo } })
  expect(await unreadSince(database.connection, [{ consumer: 'slow' }])).toEqual({ slow: longAgo })

  await read('slow')
  expect((await head())?.behindSince).toEqual(since)
  await read('quick')
  expect(await head()).toMatchObject({ due: [] })
  expect((await head())?.behindSince).toBe(undefined)
})

const dueOf = async (name: string) => (await dueWorkspaces(database.connection, [name])).map((due) => due.workspaceId)

test('a consumer is due until it has read everything, and not again before something new comes', async () => {
  await emit(memberChanged(1), memberChanged(1), memberChanged(1))
  await sequencer().sequence(workspaceId)
  const due = async () => (await dueOf(consumer)).includes(workspaceId)
  expect([await copy(2), await due()]).toEqual([true, true])
  expect([await copy(2), await due()]).toEqual([false, false])
  await emit(memberChanged(1))
  await sequencer().sequence(workspaceId)
  expect([await due(), await copy(), await due(), await copy()]).toEqual([true, false, false, false])
  expect((await copied()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
})

test('a consumer that fails keeps its place and leaves no effect', async () => {
  await emit(memberChanged(1))
  await sequencer().sequence(workspaceId)
  const failing = consume({
    connection: database.connection,
    consumer,
    workspaceId,
    handle: async (_events, { session }) => {
      await copies().insertOne({ workspaceId, eventId: 'x', seq: 0 }, { session })
      throw new Error('not now')
    },
  })
  await expect(failing).rejects.toThrow('not now')
  await copy()
  expect((await copied()).map(({ seq }) => seq)).toEqual([1])
})

test('a consumer of some types is due for those alone, and is not given others', async () => {
  const types = ['notification.raised'] as const
  const woken: (readonly string[])[] = []
  const { sequence } = createSequencer({
    connection: database.connection,
    consumers: [{ consumer: 'all' }, { consumer: 'some', types }],
    wake: (_workspaceId, consumers) => woken.push(consumers),
  })
  const due = async () => (await dueOf('some')).includes(workspaceId)
  const notificationId = new Types.ObjectId().toHexString()
  const raised: NewEvent = {
    workspaceId,
    type: 'notification.raised',
    by: { kind: 'system' },
    data: { notificationId },
  }
  await emit(memberChanged(1), memberChanged(1))
  await sequence(workspaceId)
  expect(await due()).toBe(false)
  await emit(memberChanged(1), raised, memberChanged(1))
  await sequence(workspaceId)
  expect(await due()).toBe(true)
  expect(woken).toEqual([['all'], ['all', 'some']])

  const handledSeqs: number[] = []
  const hasMore = await consume({
    connection: database.connection,
    consumer: 'some',
    workspaceId,
    types,
    handle: async (events) => {
      handledSeqs.push(...events.map(({ seq }) => seq))
    },
  })
  expect([handledSeqs, hasMore, await due()]).toEqual([[4], false, false])
})

test('with slow writers, rival sequencers that are killed, and rival consumers every event is read once, in order', async () => {
  const file = `${import.meta.dirname}/../testing/sequencer-process.ts`
  const start = () => startCommand(file, { MONGODB_URL: database.url })
  const rivals = [start(), start(), start()]
  const writers = 8
  const perWriter = 40
  let writing = true
  let written = 0
  const write = async () => {
    for (let round = 0; round < perWriter; round += 1) {
      await inTransaction(database.connection, async (tx) => {
        // The id of the event is older than what others commit meanwhile.
        tx.emit(memberChanged(1))
        await copies().findOne({}, { session: tx.session })
        await wait(Math.random() * 30)
      })
      written += 1
    }
  }
  const read = async () => {
    while (writing || (await copied()).length < written) {
      await copy(50).catch((error: { code?: string }) => {
        // Rivals conflict on the cursor; one that gives up comes again.
        if (error.code !== 'service_unavailable') throw error
      })
    }
  }
  const readers = [read(), read()]
  const killing = (async () => {
    for (let kill = 0; kill < 4 && writing; kill += 1) {
      await wait(300)
      await rivals.shift()?.kill()
      rivals.push(start())
    }
  })()
  await Promise.all(Array.from({ length: writers }, write))
  writing = false
  await Promise.all([killing, ...readers])
  await Promise.all(rivals.map(({ kill }) => kill()))

  const total = writers * perWriter
  const seqs = (await copied()).map(({ seq }) => seq)
  expect(seqs).toEqual(Array.from({ length: total }, (_, index) => index + 1))
  const events = await all()
  expect(events.map(({ seq }) => seq)).toEqual(seqs)
  expect(new Set((await copied()).map(({ eventId }) => eventId))).toEqual(new Set(events.map(({ id }) => id)))
})

test('workspaces that wait are found by a key each, however many events they have; of thousands that are due none is left out', async () => {
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await sequencer().sweep()
  const workspaceIds = Array.from({ length: 5 }, () => new Types.ObjectId())
  const fresh = workspaceIds.flatMap((id) =>
    Array.from({ length: 400 }, () => ({ _id: new Types.ObjectId(), workspaceId: id, fresh: true as const })),
  )
  const numbered = { _id: new Types.ObjectId(), workspaceId: new Types.ObjectId(), seq: 1 }
  await db.collection('events').insertMany([...fresh, numbered])
  await db.setProfilingLevel('all')
  const found = await sequencer().waiting()
  await db.setProfilingLevel('off')
  expect(found.sort()).toEqual(workspaceIds.map(String).sort())
  const [profiled] = await db.collection('system.profile').find({ 'command.aggregate': 'events' }).toArray()
  await db.dropCollection('system.profile')
  expect(profiled).toMatchObject({ docsExamined: 0 })
  expect(profiled?.['keysExamined']).toBeLessThanOrEqual(workspaceIds.length + 1)
  await db.collection('events').deleteMany({ workspaceId: { $in: workspaceIds } })

  const heads = Array.from({ length: 3000 }, () => ({ _id: new Types.ObjectId(), seq: 1, due: ['late'] }))
  await eventLog(database.connection).heads.insertMany(heads)
  const due = await dueOf('late')
  expect(due.sort()).toEqual(heads.map(({ _id }) => String(_id)).sort())
})

test('a lane reads its own due workspaces alone, and those whose lane is not known', async () => {
  const { db } = database.connection
  if (!db) throw new Error('not open')
  const { heads } = eventLog(database.connection)
  const lanes = Array.from({ length: 64 }, (_, lane) => lane)
  const inLanes = lanes.flatMap((lane) =>
    Array.from({ length: 30 }, (_, n) => ({ _id: new Types.ObjectId(), seq: 1, due: n < 3 ? ['lanes'] : [], lane })),
  )
  const unknown = { _id: new Types.ObjectId(), seq: 1, due: ['lanes'] }
  await heads.insertMany([...inLanes, unknown])
  await db.setProfilingLevel('all')
  const due = await dueWorkspaces(database.connection, ['lanes', 'another'], 7)
  await db.setProfilingLevel('off')
  const own = inLanes.filter(({ lane, due: { length } }) => lane === 7 && length > 0)
  expect(due.map((found) => found.workspaceId).sort()).toEqual([...own, unknown].map(({ _id }) => String(_id)).sort())
  const [profiled] = await db.collection('system.profile').find({ 'command.find': 'eventHeads' }).toArray()
  await db.dropCollection('system.profile')
  expect(profiled?.['docsExamined']).toBeLessThan(own.length + 5)
  expect(profiled?.['keysExamined']).toBeLessThan(own.length + 10)

  await emit(memberChanged(1))
  const kept = createSequencer({ connection: database.connection, consumers: [{ consumer: 'lanes' }], laneOf: () => 9 })
  await kept.sequence(workspaceId)
  const ofNine = await dueWorkspaces(database.connection, ['lanes'], 9)
  expect(ofNine.map((found) => found.workspaceId)).toContain(workspaceId)
})
