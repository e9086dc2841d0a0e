import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { withMerging } from './merging-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

test('a long thread moves page by page; a worker that is killed meanwhile is followed by another', async () => {
  const ann = parley.signIn()
  const { writer, merge, undoes } = withMerging(parley, ann)
  const kept = await writer('919812500031', 'short')
  const other = await writer('919812500032', 'long')
  const messages = parley.database.connection.collection('messages')
  const first = await messages.findOne({ conversationId: new Types.ObjectId(other.conversation.id) })
  const many = Array.from({ length: 2600 }, (_, index) => {
    const { waMessageId: _waMessageId, ...message } = { waMessageId: '', ...first }
    return { ...message, _id: new Types.ObjectId(), content: { type: 'text', text: `line ${index}` } }
  })
  await messages.insertMany(many)
  const countIn = ({ id }: Conversation) => messages.countDocuments({ conversationId: new Types.ObjectId(id) })

  const after = await merge(kept.contact, other.contact)
  await eventually(async () => expect(await countIn(kept.conversation)).toBeGreaterThan(1))
  await parley.worker.kill()
  const left = await countIn(other.conversation)
  const second = await parley.startWorker()
  try {
    await eventually(async () => expect(await countIn(other.conversation)).toBe(0))
    expect(await countIn(kept.conversation)).toBe(2602)
    // Otherwise no work was left for the second one.
    expect(left).toBeGreaterThan(0)
    await expectIndexed(parley.database.connection, async () => {
      await parley.services.merging.list(ann, after.id)
      await undoes(after, other.contact)
      const jobs = parley.database.connection.collection('jobs')
      await eventually(async () => expect((await jobs.findOne({}, { sort: { _id: -1 } }))?.['state']).toBe('done'))
    })
    expect(await countIn(other.conversation)).toBe(2601)
    expect(await countIn(kept.conversation)).toBe(1)
  } finally {
    await second.stop()
  }
}, 240_000)
