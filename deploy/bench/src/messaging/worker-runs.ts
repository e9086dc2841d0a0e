import { randomUUID } from 'node:crypto'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { webhookEvents } from '@parley/contracts/platform/public-events'
import { type Document, ObjectId } from 'mongodb'
import { runLoad } from '../load.ts'
import { peakMiB } from '../machine.ts'
import { until, withCleanUp } from '../program.ts'
import type { Rig } from './rig.ts'
import { inboundText, statusOf, type Webhook } from './webhooks.ts'

/** Statuses of a message that has left, in the order in which they come. */
const ladder = ['sent', 'delivered', 'read'] as const

/** Rate and memory of one worker on the backlog that waits when it starts. */
export interface WorkerRun {
  readonly perSecond: number
  /** The most that it has had. */
  readonly memoryMiB: number
}

/** Tells whether a run ends with its work, or once these consumers of the log have read all that comes of it too. */
type Until = 'done' | readonly string[]

/** Lets each customer write once, so that they can be answered; a worker applies it and ends. */
export async function makeConversations(rig: Rig, customers: number, connections: number): Promise<void> {
  const { hook, lines } = rig
  const requests = Array.from({ length: customers }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[index % lines.length]?.phoneNumberId ?? '',
      from: `9198${String(index).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'Hi',
    }),
  )
  await applyAll(rig, requests, connections)
}

/** Sends one message on each number as a page does. @returns what the app has stored, by number; no worker may be running. */
export async function sendOneOnEachNumber({ db, lines, person }: Rig): Promise<ReadonlyMap<string, Document>> {
  const models = new Map<string, Document>()
  for (const { id: numberId } of lines) {
    const conversation = await db.collection('conversations').findOne({ numberId })
    const { method, path } = messagesApi.send
    const body = { content: { type: 'text', text: 'It leaves today.' }, clientId: randomUUID() }
    await person.ask(method, path.replace(':id', String(conversation?._id)), body)
    const message = await db.collection('messages').findOne({ numberId, direction: 'outbound' })
    if (!message) throw new Error('a message was not stored')
    models.set(String(numberId), message)
  }
  return models
}

/**
 * Messages that one worker sends, to a receiver that takes as long as the real one. They lie in the outbox when it starts: each is a copy
 * of one that was sent through the app, the customers in turns, so that the messages of one of them are far apart.
 */
export async function measureSends(
  rig: Rig,
  models: ReadonlyMap<string, Document>,
  sends: number,
  until: Until = 'done',
): Promise<WorkerRun> {
  const messages = rig.db.collection('messages')
  const conversations = await rig.db.collection('conversations').find().sort({ _id: 1 }).toArray()
  const now = new Date()
  const copies = Array.from({ length: sends }, (_, index) => {
    const conversation: Document = conversations[index % conversations.length] ?? {}
    const { _id: conversationId, numberId, contactId } = conversation
    const model = models.get(String(numberId)) ?? {}
    const dispatch = { ...model['dispatch'], notBefore: now }
    const copiedMessage = {
      _id: new ObjectId(),
      conversationId,
      contactId,
      clientId: randomUUID(),
      dispatch,
      sentAt: now,
    }
    return { ...model, ...copiedMessage }
  })
  await messages.insertMany(copies)
  const run = await runWorker(rig, () => messages.countDocuments({ sendLane: { $gte: '' } }, { hint: 'outbox' }), until)
  const failed = await messages.countDocuments({ direction: 'outbound', 'dispatch.state': { $ne: 'accepted' } })
  if (failed > 0) throw new Error(`${failed} messages did not leave`)
  return run
}

/**
 * Events that one worker applies. They lie in the lanes when it starts: three statuses of each message that was sent and has none yet,
 * and one message of its customer.
 */
export async function measureApply(rig: Rig, connections: number, until: Until = 'done'): Promise<WorkerRun> {
  const run = await applyAll(rig, await webhooksOfSent(rig), connections, until)
  const missed = { direction: 'outbound', status: { $ne: 'read' } }
  const unread = await rig.db.collection('messages').countDocuments(missed)
  if (unread > 0) throw new Error(`${unread} messages have missed a status`)
  return run
}

/** Switches the fields for flows in events on or off, as where one is active. No worker may be running. */
export async function setFlows({ db, lines }: Rig, active: boolean): Promise<void> {
  const [line] = lines
  if (!line) throw new Error('the rig has no number')
  const number = await db.collection('numbers').findOne({ _id: line.id })
  const state = { active, updatedAt: new Date() }
  await db
    .collection('automationStates')
    .updateOne({ workspaceId: number?.['workspaceId'] }, { $set: state, $inc: { routingVersion: 1 } }, { upsert: true })
}

/**
 * Subscribes an outbound webhook to every event, or unsubscribes it. Nothing sends what is planned for it: that is the work of a process
 * of its own. No worker may be running.
 */
export async function setSubscribed({ db }: Rig, subscribed: boolean): Promise<void> {
  const number = await db.collection('numbers').findOne()
  const at = new Date()
  const unchanging = { name: 'Bench', events: [...webhookEvents], secrets: [], totalCalls: 0, okCalls: 0, revision: 1 }
  await db.collection('webhooks').updateOne(
    { workspaceId: number?.['workspaceId'], url: 'https://receiver.example/' },
    {
      $set: { status: subscribed ? 'active' : 'disabled', updatedAt: at },
      $setOnInsert: { ...unchanging, wakes: 0, createdAt: at },
    },
    { upsert: true },
  )
}

async function webhooksOfSent({ db, hook, lines }: Rig): Promise<Webhook[]> {
  const phoneNumberIds = new Map(lines.map(({ id, phoneNumberId }) => [String(id), phoneNumberId]))
  const contacts = await db.collection('contacts').find().toArray()
  const phones = new Map(contacts.map(({ _id, phone }) => [String(_id), String(phone).slice(1)]))
  const sent = await db.collection('messages').find({ direction: 'outbound', status: 'queued' }).toArray()
  const webhooks = sent.map(({ _id, waMessageId, contactId, numberId }) => {
    const phoneNumberId = phoneNumberIds.get(String(numberId)) ?? ''
    const phone = phones.get(String(contactId)) ?? ''
    const about = { phoneNumberId, to: phone, wamid: String(waMessageId), callbackData: String(_id) }
    return [
      ...ladder.map((status) => statusOf(hook, { ...about, status })),
      inboundText(hook, { phoneNumberId, from: phone, wamid: `wamid.${randomUUID()}`, text: 'Thank you!' }),
    ]
  })
  // As they come in: all messages go up the ladder side by side.
  return [0, 1, 2, 3].flatMap((step) => webhooks.flatMap((steps) => steps.slice(step, step + 1)))
}

async function applyAll(
  rig: Rig,
  requests: readonly Webhook[],
  connections: number,
  until: Until = 'done',
): Promise<WorkerRun> {
  await runLoad({ url: rig.hook.url, requests, connections })
  const events = rig.db.collection('rawEvents')
  return runWorker(rig, () => events.countDocuments({ lane: { $gte: '' } }, { hint: 'pending' }), until)
}

/** Tells whether these consumers have read every event. */
async function haveRead({ db }: Rig, consumers: readonly string[]): Promise<boolean> {
  const fresh = await db.collection('events').countDocuments({ fresh: true }, { hint: 'fresh', limit: 1 })
  return fresh === 0 && (await db.collection('eventHeads').countDocuments({ due: { $in: [...consumers] } })) === 0
}

/**
 * Runs a worker until nothing is left, and is read where that is asked for.
 * @param count says how much is left, from an index alone: it runs beside what is measured.
 * @returns its rate from the first that was done to the last: the start of a process is not counted.
 */
const runWorker = (rig: Rig, count: () => Promise<number>, end: Until): Promise<WorkerRun> =>
  withCleanUp(async (cleanUp) => {
    const all = await count()
    const worker = cleanUp.use(await rig.startWorker())
    let begun: { at: number; left: number } | undefined
    const isEmpty = async () => {
      const left = await count()
      if (left < all) begun ??= { at: performance.now(), left }
      return left === 0 && (end === 'done' || (await haveRead(rig, end)))
    }
    await until('nothing is left', isEmpty, { everyMs: 100, limitMs: 1_800_000 })
    const { at, left } = begun ?? { at: 0, left: 0 }
    const perSecond = (left / Math.max(1, performance.now() - at)) * 1000
    return { perSecond, memoryMiB: peakMiB(worker.pid()) }
  })
