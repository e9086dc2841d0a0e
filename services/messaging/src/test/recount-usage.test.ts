import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUsageRecount, type Difference } from '../modules/usage/ledger/recount-usage.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const rows = (name: string, filter = {}) =>
  parley.database.connection.collection(name).find({ ...parley.inWorkspace, ...filter })
const command = async () => {
  const file = `${import.meta.dirname}/../recount-usage.ts`
  const { exitCode, output } = await runToEnd(file, { MONGODB_URL: parley.database.url }, [
    '--workspace',
    parley.scope.workspaceId,
  ])
  return { exitCode, output }
}

/** Messages that have arrived, with their prices. */
async function deliver(texts: readonly string[]): Promise<Types.ObjectId[]> {
  const from = '919812377001'
  await parley.simulator.call('/inbound', { from, type: 'text', text: { body: 'Hi' } })
  const conversation = await vi.waitFor(
    async () => {
      const [found] = await rows('conversations', { windowExpiresAt: { $exists: true } }).toArray()
      if (!found) throw new Error('nobody has written')
      return found
    },
    { timeout: 120_000, interval: 50 },
  )
  const cause = { kind: 'member', id: 'a'.repeat(24) }
  for (const text of texts)
    await parley.services.outgoing.send(parley.scope, String(conversation._id), {
      content: { type: 'text', text },
      cause,
    })
  return vi.waitFor(
    async () => {
      const found = await rows('messages', { direction: 'outbound', status: 'read' }).toArray()
      expect(found).toHaveLength(texts.length)
      return found.map(({ _id }) => _id)
    },
    { timeout: 120_000, interval: 50 },
  )
}

test('rows of usage are compared with what WhatsApp has told of each message, and every difference is named', async () => {
  const usage = parley.database.connection.collection('usage')
  const nobody = new Types.ObjectId()
  const [missing = nobody, other = nobody, unpriced = nobody, gone = nobody] = await deliver([
    'one',
    'two',
    'three',
    'four',
  ])
  const well = await command()
  expect(well.exitCode, well.output).toBe(0)
  expect(well.output).toContain('"rows":4')

  await usage.deleteOne({ messageId: missing })
  await usage.updateOne({ messageId: other }, { $set: { category: 'marketing' } })
  const messages = parley.database.connection.collection('messages')
  await messages.updateOne({ _id: unpriced }, { $unset: { pricing: 1 } })
  // The message is gone, as after an erasure: the charge stays.
  await messages.deleteOne({ _id: gone })
  const found: Difference[] = []
  const counts = await createUsageRecount(parley.database.connection)(parley.scope, (difference) =>
    found.push(difference),
  )
  expect(found.map(({ messageId, problem }) => [messageId, problem])).toEqual([
    [String(missing), 'has no row'],
    [String(other), 'has another row'],
    [String(unpriced), 'has a row without a price'],
  ])
  expect(found[1]).toMatchObject({ message: { category: 'service' }, row: { category: 'marketing' } })
  expect(counts).toMatchObject({ rows: 3, withoutMessage: 1 })
  const wrong = await command()
  expect(wrong.exitCode).toBe(1)
  for (const id of [missing, other, unpriced]) expect(wrong.output).toContain(String(id))
  await expectIndexed(parley.database.connection, () =>
    createUsageRecount(parley.database.connection)(parley.scope, () => undefined),
  )
})
