import type { NewServiceMessage, ServiceMessage } from '@parley/contracts/platform/service-messages'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createEventIndexes } from '../data/event-log.ts'
import { createInbox, createInboxIndexes } from '../data/inbox.ts'
import { createOutboxDelivery, createOutboxIndexes } from '../data/outbox.ts'
import { inTransaction } from '../data/transaction.ts'
import { expectIndexed } from '../testing/query-plans.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let sender: TestDatabase
let receiver: TestDatabase
beforeAll(async () => {
  const { urls } = inject('stack')
  ;[sender, receiver] = await Promise.all([openTestDatabase(urls.mongodb), openTestDatabase(urls.mongodb)])
  const [from, to] = [sender.connection.db, receiver.connection.db]
  if (!from || !to) throw new Error('not open')
  await createOutboxIndexes(from)
  await createEventIndexes(from)
  await createInboxIndexes(to)
  await to.createCollection('effects')
})
afterAll(() => Promise.all([sender.drop(), receiver.drop()]))

let workspaceId: string
beforeEach(async () => {
  workspaceId = new Types.ObjectId().toHexString()
  await sender.connection.collection('outbox').deleteMany({})
})

const message = (version: number): NewServiceMessage => ({
  workspaceId,
  to: 'messaging',
  type: 'member.changed',
  by: { kind: 'system' },
  data: { memberId: 'a'.repeat(24), userId: 'b'.repeat(24), role: 'agent', status: 'active', version },
})
const send = (...versions: number[]) =>
  inTransaction(sender.connection, async (tx) => {
    for (const version of versions) tx.send(message(version))
  })
const effects = () => receiver.connection.collection<{ workspaceId: string; version: number }>('effects')
const received = async () =>
  (await effects().find({ workspaceId }).sort({ _id: 1 }).toArray()).map(({ version }) => version)
const inbox = () =>
  createInbox({
    connection: receiver.connection,
    transaction: (work) => inTransaction(receiver.connection, work),
    apply: async (id, { type, data }, { session }) => {
      if (type !== 'member.changed') throw new Error('nobody has sent this')
      if (data.version === 13) throw new Error('this one cannot be applied')
      await effects().insertOne({ workspaceId: id, version: data.version }, { session })
    },
  })
/** Delivers until nothing is due any more. */
async function deliverAll(to: (workspaceId: string, messages: readonly ServiceMessage[]) => Promise<void>) {
  const outbox = createOutboxDelivery(sender.connection, { messaging: to })
  for (const id of await outbox.waiting()) while (await outbox.deliver(id));
}
const makeDue = () => sender.connection.collection('outbox').updateMany({}, { $set: { dueAt: new Date(0) } })

test('messages are delivered once each, in the order of their commits, in batches', async () => {
  for (let version = 100; version < 350; version += 50) await send(...Array.from({ length: 50 }, (_, n) => version + n))
  const sizes: number[] = []
  const receive = inbox()
  await deliverAll(async (id, messages) => {
    sizes.push(messages.length)
    await receive(id, messages)
  })
  expect(sizes).toEqual([100, 100, 50])
  expect(await received()).toEqual(Array.from({ length: 250 }, (_, n) => 100 + n))
  expect(await sender.connection.collection('outbox').countDocuments()).toBe(0)
})

test('a transaction that fails sends nothing', async () => {
  const failing = inTransaction(sender.connection, async (tx) => {
    tx.send(message(1))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await sender.connection.collection('outbox').countDocuments()).toBe(0)
})

test('transactions at the same moment have different places', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, n) => send(n * 2, n * 2 + 1)))
  await deliverAll(inbox())
  const order = await received()
  expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const first of [0, 2, 4, 6, 8]) expect(order.indexOf(first + 1)).toBe(order.indexOf(first) + 1)
})

test('an answer that is lost, and two senders at once: each message has one effect', async () => {
  await send(1, 2, 3)
  const receive = inbox()
  const lost = deliverAll(async (id, messages) => {
    await receive(id, messages)
    throw new Error('the answer is lost')
  })
  await expect(lost).rejects.toThrow('the answer is lost')
  await makeDue()
  await Promise.all([deliverAll(receive), deliverAll(receive)])
  expect(await received()).toEqual([1, 2, 3])
})

test('what cannot be applied holds up what comes after it in its workspace, and is tried again later', async () => {
  await send(12, 13, 14)
  await expect(deliverAll(inbox())).rejects.toThrow('this one cannot be applied')
  expect(await received()).toEqual([12])
  const outbox = createOutboxDelivery(sender.connection, { messaging: inbox() })
  expect(await outbox.waiting()).toEqual([])
  expect(await outbox.oldestAt()).toBeInstanceOf(Date)
  await makeDue()
  expect(await outbox.waiting()).toEqual([workspaceId])
})

test('what is waiting is found by an index', async () => {
  await send(1)
  await expectIndexed(sender.connection, () => deliverAll(inbox()))
})
