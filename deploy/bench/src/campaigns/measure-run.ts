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

/** What leaves of a running campaign, and how soon a person's own messages leave beside it; then it is paused. */
export async function measureRun(db: Db, { calls, campaignId, seconds, answers }: Run) {
  const conversations = await db.collection('conversations').find({ unreadCount: 1 }).limit(answers).toArray()
  const sent = () => db.collection('messages').countDocuments({ 'cause.id': campaignId, 'dispatch.state': 'accepted' })
  while ((await sent()) === 0) await delay(lookEveryMs)
  const [begunAt, before] = [performance.now(), await sent()]
  const answersMs: number[] = []
  for (const { _id } of conversations) {
    answersMs.push(await msUntilAccepted(db, await calls.send(_id.toHexString())))
    await delay((seconds * 1000) / answers)
  }
  const perSecond = ((await sent()) - before) / ((performance.now() - begunAt) / 1000)
  const askedAt = performance.now()
  await calls.change(campaignId, 'pause')
  const pauseMs = performance.now() - askedAt
  const atPause = await sent()
  await delay(settleMs)
  return { perSecond, answersMs, pauseMs, sentAfterPause: (await sent()) - atPause }
}

async function msUntilAccepted(db: Db, messageId: string): Promise<number> {
  const begun = performance.now()
  const _id = new ObjectId(messageId)
  for (;;) {
    const message = await db.collection('messages').findOne({ _id }, { projection: { dispatch: 1 } })
    if (message?.['dispatch'].state === 'accepted') return performance.now() - begun
    await delay(lookEveryMs)
  }
}
