import { setTimeout as delay } from 'node:timers/promises'
import { type Db, ObjectId } from 'mongodb'
import type { Calls } from './calls.ts'

const lookEveryMs = 5
const settleMs = 2000

interface Run {
  readonly calls: Calls
  readonly campaignId: string
  readonly seconds: number
  readonly answers: number
}

interface Times {
  readonly requestedMs: number
  readonly acceptedMs: number
}

/** What leaves of a running campaign, and how soon a person's own messages leave beside it; then it is paused. */
export async function measureRun(db: Db, { calls, campaignId, seconds, answers }: Run) {
  const conversations = await db.collection('conversations').find({ unreadCount: 1 }).limit(answers).toArray()
  const sent = () => db.collection('messages').countDocuments({ 'cause.id': campaignId, 'dispatch.state': 'accepted' })
  while ((await sent()) === 0) await delay(lookEveryMs)
  const [begunAt, before] = [performance.now(), await sent()]
  const timed: Times[] = []
  for (const { _id } of conversations) {
    timed.push(await timesOf(db, await calls.send(_id.toHexString())))
    await delay((seconds * 1000) / answers)
  }
  const perSecond = ((await sent()) - before) / ((performance.now() - begunAt) / 1000)
  const askedAt = performance.now()
  await calls.change(campaignId, 'pause')
  const pauseMs = performance.now() - askedAt
  const atPause = await sent()
  await delay(settleMs)
  return { perSecond, answers: timed, pauseMs, underWayAtPause: (await sent()) - atPause }
}

/** From its place in the outbox: until it is claimed, which the request follows at once, and until it is accepted. */
async function timesOf(db: Db, messageId: string): Promise<Times> {
  const begun = performance.now()
  const _id = new ObjectId(messageId)
  let requestedMs: number | undefined
  for (;;) {
    const message = await db.collection('messages').findOne({ _id }, { projection: { dispatch: 1 } })
    const state: unknown = message?.['dispatch'].state
    const passedMs = performance.now() - begun
    if (state !== 'queued') requestedMs ??= passedMs
    if (state === 'accepted') return { requestedMs: requestedMs ?? passedMs, acceptedMs: passedMs }
    await delay(lookEveryMs)
  }
}
