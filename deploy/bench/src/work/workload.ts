import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import type { Calls } from '../campaigns/calls.ts'
import { runLoad } from '../load.ts'
import type { Rig } from '../messaging/rig.ts'
import { inboundText, statusOf, type Webhook } from '../messaging/webhooks.ts'
import { type Program, until } from '../program.ts'
import { readWork, type Work, workOfEach } from './work.ts'

const connections = 64
const idleMs = 5000

/** Measures what pieces of work take of MongoDB and of workers, without what both do while nothing is asked for. */
export async function createWorkload(rig: Rig, workers: readonly Pick<Program, 'pid'>[]) {
  const { db } = rig
  const pids = { mongodb: rig.mongodbPid, workers: workers.map((worker) => worker.pid()) }
  /** Work of a second while nothing is asked for. */
  let idle: Work = {}
  await measureIdle()
  return { measureIdle, measureApplied, measureCampaign, measureAsked }

  async function measureIdle(): Promise<void> {
    await until('nothing is going on', () => isIdle(rig))
    const before = await readWork(rig, pids)
    await delay(idleMs)
    idle = workOfEach({ before, after: await readWork(rig, pids) }, idleMs / 1000)
  }

  async function measureFrom(before: Work, begunAt: number, of: number, work: () => Promise<unknown>): Promise<Work> {
    await work()
    const perSecond = (of / (performance.now() - begunAt)) * 1000
    await until('nothing is going on', () => isIdle(rig))
    const seconds = (performance.now() - begunAt) / 1000
    return { ...workOfEach({ before, after: await readWork(rig, pids), seconds, idle }, of), 'a second': perSecond }
  }

  /** Measures a backlog of webhooks: workers stand still until all of it is stored. */
  async function measureApplied(webhooks: readonly Webhook[]): Promise<Work> {
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const pid of pids.workers) process.kill(pid, name)
    }
    signal('SIGSTOP')
    try {
      await runLoad({ url: rig.hook.url, requests: webhooks, connections: Math.min(connections, webhooks.length) })
      const [before, begunAt] = [await readWork(rig, pids), performance.now()]
      signal('SIGCONT')
      return await measureFrom(before, begunAt, webhooks.length, () => untilApplied(rig))
    } finally {
      signal('SIGCONT')
    }
  }

  /** Measures a campaign to the contacts with a tag, from its launch until it is completed. */
  async function measureCampaign(calls: Calls, { tag, count }: { tag: string; count: number }) {
    const id = await calls.startReview(tag)
    await until('its audience is written down', () => isFrozen(rig, id))
    await until('nothing is going on', () => isIdle(rig))
    const [before, begunAt] = [await readWork(rig, pids), performance.now()]
    await calls.launch(id)
    const completed = { _id: new ObjectId(id), status: 'completed' }
    const isCompleted = async () => (await db.collection('campaigns').findOne(completed)) !== null
    const work = await measureFrom(before, begunAt, count, () =>
      until('the campaign is completed', isCompleted, { everyMs: 250, limitMs: 600_000 }),
    )
    return { work, id }
  }

  /** Measures a request that a page makes, asked again and again. */
  async function measureAsked(ask: () => Promise<unknown>, times: number): Promise<Work> {
    const [before, begunAt] = [await readWork(rig, pids), performance.now()]
    return measureFrom(before, begunAt, times, async () => {
      for (let turn = 0; turn < times; turn += 1) await ask()
    })
  }
}

async function isFrozen({ db }: Rig, id: string): Promise<boolean> {
  const campaign = await db.collection('campaigns').findOne({ _id: new ObjectId(id) })
  return Boolean(campaign?.['frozen']?.done)
}

/** Tells whether every event has its number and every consumer has read it. */
async function isIdle({ db }: Rig): Promise<boolean> {
  if ((await db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending', limit: 1 })) > 0)
    return false
  if ((await db.collection('events').countDocuments({ fresh: true }, { hint: 'fresh', limit: 1 })) > 0) return false
  return (await db.collection('eventHeads').countDocuments({ due: { $gte: '' } }, { hint: 'due', limit: 1 })) === 0
}

/** Resolves once every stored webhook is applied. */
function untilApplied({ db }: Rig): Promise<void> {
  const left = () => db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending', limit: 1 })
  return until('nothing is left', async () => (await left()) === 0, { everyMs: 100, limitMs: 600_000 })
}

/** Returns the webhooks with which WhatsApp reports each message of a campaign as sent, delivered and read. */
export async function statusesOf({ db, hook, lines }: Rig, campaignId: string): Promise<Webhook[]> {
  const phoneNumberId = lines[0]?.phoneNumberId ?? ''
  const sent = await db.collection('messages').find({ 'cause.id': campaignId }).toArray()
  const contacts = await db
    .collection('contacts')
    .find({ _id: { $in: sent.map(({ contactId }) => contactId) } })
    .toArray()
  const phones = new Map(contacts.map(({ _id, phone }) => [String(_id), String(phone).slice(1)]))
  return (['sent', 'delivered', 'read'] as const).flatMap((status) =>
    sent.map(({ _id, waMessageId, contactId }) =>
      statusOf(hook, {
        phoneNumberId,
        to: phones.get(String(contactId)) ?? '',
        wamid: String(waMessageId),
        status,
        callbackData: String(_id),
      }),
    ),
  )
}

/** Returns webhooks with one message of each of some customers, who are others in each round. */
export function customersWrite({ hook, lines }: Rig, round: number, count: number): Webhook[] {
  return Array.from({ length: count }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[index % lines.length]?.phoneNumberId ?? '',
      from: `9197${round}${String(index).padStart(7, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'Is it here yet?',
    }),
  )
}
