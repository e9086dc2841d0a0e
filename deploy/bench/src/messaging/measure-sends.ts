import { randomUUID } from 'node:crypto'
import { messagesApi } from '@parley/contracts/message-endpoints'
import { type Document, ObjectId } from 'mongodb'
import { peakMiB } from '../capacity/costs.ts'
import { rateUntilEmpty } from './backlog.ts'
import type { Rig } from './rig.ts'

/**
 * Messages a second that one worker sends, to a receiver that takes as long as the real one, and the most memory that it has
 * meanwhile. They lie in the outbox when it starts: each is a copy of one that was sent through the app.
 */
export async function measureSends(
  rig: Rig,
  models: Models,
  sends: number,
): Promise<{ perSecond: number; memoryMiB: number }> {
  const messages = rig.db.collection('messages')
  await fillOutbox(rig, models, sends)
  const worker = await rig.startWorker()
  try {
    const perSecond = await rateUntilEmpty(() =>
      messages.countDocuments({ sendLane: { $gte: '' } }, { hint: 'outbox' }),
    )
    const failed = await messages.countDocuments({ direction: 'outbound', 'dispatch.state': { $ne: 'accepted' } })
    if (failed > 0) throw new Error(`${failed} messages did not leave`)
    return { perSecond, memoryMiB: peakMiB(worker.pid()) }
  } finally {
    await worker.stop()
  }
}

/** A stored message of each number, by its id. */
type Models = ReadonlyMap<string, Document>

/** Sends one message on each number as a page does. @returns what the app has stored; no worker may be running. */
export async function sendOneOnEachNumber({ db, lines, person }: Rig): Promise<Models> {
  const models = new Map<string, Document>()
  for (const { id: numberId } of lines) {
    const conversation = await db.collection('conversations').findOne({ numberId })
    if (!conversation) throw new Error('a number has no conversation')
    const { method, path } = messagesApi.send
    const body = { content: { type: 'text', text: 'It leaves today.' }, clientId: randomUUID() }
    await person.ask(method, path.replace(':id', String(conversation._id)), body)
    const message = await db.collection('messages').findOne({ numberId, direction: 'outbound' })
    if (!message) throw new Error('a message was not stored')
    models.set(String(numberId), message)
  }
  return models
}

/** The customers in turns, so that the messages of one of them are far apart. */
async function fillOutbox({ db }: Rig, models: Models, sends: number): Promise<void> {
  const conversations = await db.collection('conversations').find().sort({ _id: 1 }).toArray()
  const now = new Date()
  const copies = Array.from({ length: sends }, (_, index) => {
    const conversation: Document = conversations[index % conversations.length] ?? {}
    const { _id: conversationId, numberId, contactId } = conversation
    const model = models.get(String(numberId)) ?? {}
    const dispatch = { ...model['dispatch'], notBefore: now }
    const own = { _id: new ObjectId(), conversationId, contactId, clientId: randomUUID(), dispatch, sentAt: now }
    return { ...model, ...own }
  })
  await db.collection('messages').insertMany(copies)
}
