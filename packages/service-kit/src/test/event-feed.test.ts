import type { NewEvent } from '@parley/contracts/platform/events'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { unreadSince } from '../data/consume.ts'
import { createEventFeed } from '../data/event-feed.ts'
import { createEventIndexes, eventLog, readEvents } from '../data/event-log.ts'
import { createSequencer } from '../data/sequencer.ts'
import { inTransaction } from '../data/transaction.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createEventIndexes(db)
})
afterAll(() => database.drop())

let workspaceId: string
beforeEach(() => {
  workspaceId = newId()
})

const newId = () => new Types.ObjectId().toHexString()
const feed = () =>
  createEventFeed({ connection: database.connection, consumer: 'flows', types: ['contact.erased', 'contact.merged'] })
const woken: string[][] = []
const happen = async (...events: NewEvent[]) => {
  await inTransaction(database.connection, async (tx) => events.forEach(tx.emit))
  await createSequencer({
    connection: database.connection,
    consumers: [feed().reader],
    wake: (id, consumers) => woken.push([id, ...consumers]),
  }).sequence(workspaceId)
}
const isDue = async () => (await feed().due()).includes(workspaceId)
const at = '2026-01-01T00:00:00.000Z'
const system = { kind: 'system' as const }

const status = (): NewEvent => ({
  workspaceId,
  type: 'message.changed',
  by: system,
  data: { messageId: newId(), conversationId: newId(), direction: 'outbound', status: 'read', cause: 'campaign' },
})
const spoken = (text: string): NewEvent => ({
  workspaceId,
  type: 'message.changed',
  by: { kind: 'contact' },
  data: {
    messageId: newId(),
    conversationId: newId(),
    direction: 'inbound',
    status: null,
    created: true,
    said: { type: 'text', text },
  },
  snapshot: {
    contact: {
      id: newId(),
      createdAt: at,
      updatedAt: at,
      version: 1,
      name: 'Asha Rao',
      phone: '+919812340001',
      tags: [],
      attributes: {},
      optIn: { marketing: 'unknown', source: 'inbound', at: null },
      lastContactAt: at,
      source: 'inbound',
      blocked: false,
    },
  },
})
const erased = (): NewEvent => ({
  workspaceId,
  type: 'contact.erased',
  by: system,
  data: { contactId: newId(), conversationIds: [] },
})

test('statuses of campaigns wake nobody and are passed over; what a customer says, and an erasure, are read in order', async () => {
  await happen(...Array.from({ length: 30 }, status))
  expect([await isDue(), woken.at(-1)]).toEqual([false, [workspaceId]])
  await happen(spoken('one'), status(), spoken('two'), erased(), status())
  expect([await isDue(), woken.at(-1)]).toEqual([true, [workspaceId, 'flows']])

  expect(await feed().list(workspaceId, { limit: 10 })).toEqual({ items: [], upTo: 35, head: 35 })
  const first = await feed().list(workspaceId, { after: 0, limit: 2 })
  expect([first.items.map(({ seq }) => seq), first.upTo, first.head]).toEqual([[31, 33], 33, 35])
  expect(first.items[0]).toMatchObject({ data: { said: { text: 'one' } }, snapshot: { contact: { name: 'Asha Rao' } } })
  const rest = await feed().list(workspaceId, { after: first.upTo, limit: 2 })
  expect([rest.items.map(({ type }) => type), rest.upTo]).toEqual([['contact.erased'], 35])
})

test('it is due until it says that it has read the last number', async () => {
  await happen(spoken('one'), spoken('two'))
  await feed().read(workspaceId, 1)
  expect(await isDue()).toBe(true)
  await feed().read(workspaceId, 2)
  expect(await isDue()).toBe(false)
  await happen(spoken('three'))
  await feed().read(workspaceId, 2)
  expect(await isDue()).toBe(true)
})

test('it is told since when the oldest event waits that concerns it, workspaces apart that it is not given', async () => {
  const since = async (without?: ReadonlySet<string>) =>
    (await unreadSince(database.connection, [feed().reader], without))['flows']
  const recordedAt = async (seq: number) => {
    const event = await eventLog(database.connection).events.findOne({
      workspaceId: new Types.ObjectId(workspaceId),
      seq,
    })
    return event?.recordedAt
  }
  // Workspaces of other tests are left out.
  const others = new Set((await feed().due()).filter((id) => id !== workspaceId))
  await happen(status(), spoken('one'))
  await happen(spoken('two'))
  expect(await since(others)).toEqual(await recordedAt(2))
  await feed().read(workspaceId, 2)
  expect(await since(others)).toEqual(await recordedAt(3))
  expect(await since(new Set([...others, workspaceId]))).toBe(undefined)
  await feed().read(workspaceId, 3)
  expect(await since(others)).toBe(undefined)
})

test('a reader that is ahead of a restored database goes on from its last number', async () => {
  await happen(spoken('one'))
  expect(await feed().list(workspaceId, { after: 900, limit: 10 })).toEqual({ items: [], upTo: 1, head: 1 })
  expect(await feed().list(newId(), { after: 900, limit: 10 })).toEqual({ items: [], upTo: 0, head: 0 })
})

test('browsers are given neither what was said nor the snapshot, and the log keeps both', async () => {
  await happen(spoken('a secret'))
  const shown = await readEvents(database.connection, { workspaceId, after: 0, limit: 10 })
  expect(shown).toHaveLength(1)
  expect(JSON.stringify(shown)).not.toMatch(/secret|Asha|snapshot|said/)
  const [stored] = await eventLog(database.connection)
    .events.find({ workspaceId: new Types.ObjectId(workspaceId) })
    .toArray()
  expect(JSON.stringify(stored)).toContain('a secret')
})
