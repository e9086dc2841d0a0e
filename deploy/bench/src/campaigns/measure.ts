import { setTimeout as delay } from 'node:timers/promises'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { type Db, ObjectId } from 'mongodb'
import { z } from 'zod'
import type { Rig } from '../messaging/rig.ts'
import { until } from '../program.ts'
import { type Measure, percentile } from '../report.ts'
import type { Calls } from './calls.ts'

/** Watches a campaign until its audience is written down. @param rows how many there will be. */
export async function measureFreeze(db: Db, campaignId: string, rows: number) {
  const _id = new ObjectId(campaignId)
  const marks: { at: number; rows: number }[] = []
  const isFrozen = async () => {
    const campaign = await db.collection('campaigns').findOne({ _id }, { projection: { frozen: 1 } })
    marks.push({ at: performance.now(), rows: campaign?.['frozen'].rows ?? 0 })
    return Boolean(campaign?.['frozen'].done)
  }
  await until('the audience is written down', isFrozen, { limitMs: 600_000 })
  const reached = (share: number) => marks.find((mark) => mark.rows >= rows * share)?.at ?? 0
  const begun = marks.findLast((mark) => mark.rows === 0)?.at ?? 0
  return {
    seconds: (reached(1) - begun) / 1000,
    lastOfFirst: (reached(1) - reached(0.9)) / Math.max(1, reached(0.2) - reached(0.1)),
  }
}

/** Returns the bytes that one document of a collection takes in the database, with its indexes, before compression. */
export async function bytesOfOne(db: Db, collection: string): Promise<number> {
  const { count, size, totalIndexSize } = await db.command({ collStats: collection })
  return (size + totalIndexSize) / count
}

/** The least that writing an audience down takes: contacts are read in their order, rows are inserted, a thousand at a time. */
export async function bareRowsPerSecond(db: Db, workspaceId: ObjectId, tag: string): Promise<number> {
  const [contacts, rows] = [db.collection('contacts'), db.collection('benchRows')]
  const begun = performance.now()
  let n = 0
  let after = new ObjectId('0'.repeat(24))
  for (;;) {
    const page = await contacts
      .find({ workspaceId, tags: tag, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(1000)
      .toArray()
    if (page.length === 0) break
    await rows.insertMany(page.map(({ _id, phone, name }, index) => ({ n: n + index, contactId: _id, phone, name })))
    n += page.length
    after = page.at(-1)?._id ?? after
  }
  await rows.drop()
  return n / ((performance.now() - begun) / 1000)
}

interface Run {
  readonly calls: Calls
  readonly campaignId: string
  readonly seconds: number
  readonly answers: number
}

/**
 * Measures the messages that leave from a running campaign, and how soon a person's own messages leave beside it; then it is
 * paused.
 */
export async function measureRun(db: Db, { calls, campaignId, seconds, answers }: Run): Promise<Measure[]> {
  const conversations = await db.collection('conversations').find({ unreadCount: 1 }).limit(answers).toArray()
  const sent = () => db.collection('messages').countDocuments({ 'cause.id': campaignId, 'dispatch.state': 'accepted' })
  await until('the first message has left', async () => (await sent()) > 0, { everyMs: 5 })
  const [begunAt, before] = [performance.now(), await sent()]
  const requestedMs: number[] = []
  const acceptedMs: number[] = []
  for (const { _id } of conversations) {
    const times = await timesOf(db, await calls.send(_id.toHexString()))
    requestedMs.push(times.requestedMs)
    acceptedMs.push(times.acceptedMs)
    await delay((seconds * 1000) / answers)
  }
  const perSecond = ((await sent()) - before) / ((performance.now() - begunAt) / 1000)
  const askedAt = performance.now()
  await calls.change(campaignId, 'pause')
  const pauseMs = performance.now() - askedAt
  const atPause = await sent()
  await delay(2000)
  const p95 = (values: readonly number[]) => ({ values: [percentile(values, 0.95)], unit: 'ms' })
  return [
    { name: 'sends of one worker', values: [perSecond], unit: 'messages/s', goal: { atLeast: 1000 } },
    { name: 'an answer meanwhile, until its request, p95', ...p95(requestedMs), goal: { atMost: 300 } },
    { name: 'until it was accepted, p95', ...p95(acceptedMs) },
    { name: 'a pause is answered', values: [pauseMs], unit: 'ms', goal: { atMost: 1000 } },
    { name: 'under way when it was answered', values: [(await sent()) - atPause], unit: 'messages' },
  ]
}

/** Returns the times from a message's place in the outbox until it is claimed, which the request follows at once, and accepted. */
async function timesOf(db: Db, messageId: string): Promise<{ requestedMs: number; acceptedMs: number }> {
  const begun = performance.now()
  const _id = new ObjectId(messageId)
  let requestedMs: number | undefined
  const isAccepted = async () => {
    const message = await db.collection('messages').findOne({ _id }, { projection: { dispatch: 1 } })
    const state: unknown = message?.['dispatch'].state
    if (state !== 'queued') requestedMs ??= performance.now() - begun
    return state === 'accepted'
  }
  await until('an answer is accepted', isAccepted, { everyMs: 5 })
  const acceptedMs = performance.now() - begun
  return { requestedMs: requestedMs ?? acceptedMs, acceptedMs }
}

const pageSchema = z.object({ nextCursor: z.string().nullable() })

interface Campaigns {
  readonly large: string
  /** Campaign of a tenth of the size. */
  readonly small: string
}

/** Pages of recipients one after the other, of both campaigns in turns. */
export async function measurePages(calls: Calls, { large, small }: Campaigns, asked: number): Promise<Measure[]> {
  const reader = (id: string) => {
    let from = ''
    return async (): Promise<number> => {
      const begun = performance.now()
      const page = pageSchema.parse(await calls.get(`${recipientsApi.list.path.replace(':id', id)}?limit=50${from}`))
      from = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
      return performance.now() - begun
    }
  }
  const [ofLarge, ofSmall] = [reader(large), reader(small)]
  const durations = { large: [] as number[], small: [] as number[] }
  for (let turn = 0; turn < asked; turn += 1) {
    durations.large.push(await ofLarge())
    durations.small.push(await ofSmall())
  }
  const [p95, tenth] = [percentile(durations.large, 0.95), percentile(durations.small, 0.95)]
  return [
    { name: 'a page of recipients, p95', values: [p95], unit: 'ms', goal: { atMost: 200 } },
    { name: 'a page of recipients, of a tenth', values: [p95 / tenth], goal: { atMost: 1.3 } },
  ]
}

/** A campaign's recipients as CSV, read to the end: a million rows in a minute. @throws where rows are missing. */
export async function measureExport({ person }: Rig, campaignId: string, rows: number): Promise<Measure> {
  const begun = performance.now()
  const { headers } = person
  const answer = await fetch(`${person.origin}${recipientsApi.download.path.replace(':id', campaignId)}`, { headers })
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
  let lines = 0
  for await (const chunk of answer.body) for (const byte of chunk) if (byte === 10) lines += 1
  // One line has the names of the columns.
  if (lines !== rows + 1) throw new Error(`${lines} lines came of ${rows} rows`)
  const perSecond = rows / ((performance.now() - begun) / 1000)
  return { name: 'rows a second of an export', values: [perSecond], goal: { atLeast: Math.round(1_000_000 / 60) } }
}
