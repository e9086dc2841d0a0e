import { laneOf } from '@parley/service-kit/queue/lanes'
import { type Db, type Document, Int32, ObjectId } from 'mongodb'

/** Reason that people see with each held message, by which it is also found again. */
const messageReason =
  'Held: the database was restored, and nobody knows whether this message has left since the backup.'
/** Lane in which scheduled messages wait for their time, in the state `held`. */
const scheduledLane = 'scheduled'
const held = { 'dispatch.state': 'held', 'dispatch.lastError.message': messageReason }

/**
 * Takes messages that waited to be sent when a backup was taken out of their lanes: they may have been sent since, and would
 * be sent again. @returns how many.
 */
export async function holdSends(db: Db): Promise<number> {
  const { modifiedCount } = await db.collection('messages').updateMany(
    { sendLane: { $exists: true } },
    {
      $set: { 'dispatch.state': 'held', 'dispatch.lastError': { code: new Int32(0), message: messageReason } },
      $unset: { sendLane: '', 'dispatch.claim': '', 'dispatch.leaseUntil': '' },
      $inc: { version: 1 },
    },
  )
  return modifiedCount
}

/** Counts the messages held since a restore, by workspace. */
export async function countHeld(db: Db): Promise<{ workspaceId: string; messages: number }[]> {
  const groups = await db
    .collection('messages')
    .aggregate<{ _id: ObjectId; messages: number }>([
      { $match: held },
      { $group: { _id: '$workspaceId', messages: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ])
    .toArray()
  return groups.map(({ _id, messages }) => ({ workspaceId: _id.toHexString(), messages }))
}

/**
 * Gives the held messages of a workspace back to the worker, which sends them; those that are scheduled for later wait for their
 * time again. @returns how many.
 */
export async function releaseHeld(db: Db, workspaceId: string): Promise<number> {
  const messages = db.collection('messages')
  const ofWorkspace = { workspaceId: new ObjectId(workspaceId), ...held }
  const now = new Date()
  const scheduled = await messages.updateMany({ ...ofWorkspace, sendAt: { $gt: now } }, [
    { $set: { 'dispatch.notBefore': '$sendAt', sendLane: scheduledLane, version: { $add: ['$version', 1] } } },
    { $unset: 'dispatch.lastError' },
  ])
  let released = scheduled.modifiedCount
  for (const numberId of await messages.distinct('numberId', ofWorkspace)) {
    const { modifiedCount } = await messages.updateMany(
      { ...ofWorkspace, numberId },
      {
        $set: { 'dispatch.state': 'queued', 'dispatch.notBefore': now, sendLane: String(laneOf(String(numberId))) },
        $unset: { 'dispatch.lastError': '' },
        $inc: { version: 1 },
      },
    )
    released += modifiedCount
  }
  return released
}

/** Campaigns of the sample data stand still unless they have been resumed. */
const live = { $or: [{ sample: { $ne: true } }, { watch: { $exists: true } }] }
const stopped = { status: 'paused', pausedFor: 'restored' }
const change = { $unset: { watch: '', nextAt: '', pauseDetail: '' }, $inc: { version: 1 } }

/** Stops all campaigns, so that none runs by itself after a restore: each waits for a person. */
export async function stopCampaigns(db: Db): Promise<void> {
  const campaigns = db.collection('campaigns')
  const began = { ...live, status: { $in: ['active', 'paused'] }, startedAt: { $exists: true } }
  // A campaign may since have reached contacts, too, that it had not written down yet.
  await campaigns.updateMany(began, { ...change, $set: { ...stopped, 'frozen.done': true } })
  await campaigns.updateMany({ ...live, status: 'scheduled' }, { ...change, $set: stopped })
  // Reviews of drafts are not as they were either: workers delete what they had written down.
  await campaigns.updateMany(
    { status: 'draft', frozen: { $exists: true } },
    {
      $set: { 'frozen.clearing': true, watch: 'campaigns', nextAt: new Date() },
      $unset: { review: '' },
      $inc: { version: 1 },
    },
  )
}

/**
 * Marks recipients as uncertain that a campaign had not reached when the backup was taken: it may have reached them since, so
 * none of them is sent anything.
 */
export async function doubtRecipients(db: Db): Promise<void> {
  const began = db.collection('campaigns').find({ ...stopped, startedAt: { $exists: true } })
  for await (const { _id: campaignId, workspaceId } of began)
    await db
      .collection('campaignRecipients')
      .updateMany(
        { workspaceId, campaignId, state: { $in: ['pending', 'queued'] } },
        { $set: { state: 'uncertain', reason: 'restored' } },
      )
}

/** Reason that people see with each held session. */
const sessionReason =
  'Held: the database was restored, and nobody knows what has happened in this conversation since the backup.'

/** Milliseconds after which a session ends, wherever it is. */
const sessionMs = 60 * 86_400_000

/** Higher than any number that messaging may have been told since the backup. */
const restoredRise = 1_000_000

/**
 * Holds the sessions of bots that had not ended when a backup was taken: what they wait for may be long over, and what they were
 * about to send may have left. Conversations of sessions that somebody has ended go to people. @returns how many.
 */
export async function holdSessions(db: Db): Promise<number> {
  const { modifiedCount } = await db
    .collection('runs')
    .updateMany({ live: true, status: { $ne: 'held' }, ending: { $exists: false } }, [
      {
        $set: {
          status: 'held',
          reason: sessionReason,
          version: { $add: ['$version', 1] },
          // Held or not, a session ends in time.
          dueAt: { $add: ['$createdAt', sessionMs] },
          dueFor: 'end',
          dueLane: '$home',
        },
      },
      { $unset: ['lane', 'retryAt'] },
    ])
  return modifiedCount
}

/** Sentences of the list of what people have to look at, once sessions and runs are held. */
const heldSentences = {
  flow: 'The database was restored, and what was under way is held. Let it go on, or end it.',
  message: 'The database was restored while a message was being answered. Read the conversation and answer.',
}

/** Puts held sessions onto the list of what people have to look at: each flow, and each conversation with a message under way. */
export async function listHeld(db: Db): Promise<void> {
  const now = new Date()
  const held = { live: true, status: 'held', reason: sessionReason }
  const flows = db
    .collection('runs')
    .aggregate([
      { $match: held },
      { $group: { _id: { workspaceId: '$workspaceId', flowId: '$flowId' }, count: { $sum: 1 } } },
    ])
  for await (const { _id: of, count } of flows) await list(of, `held:${of.flowId}`, heldSentences.flow, count)
  const answering = db.collection('runs').find({ ...held, holds: true, 'todo.message': { $type: 'object' } })
  for await (const { _id: runId, workspaceId, flowId, conversationId } of answering)
    await list({ workspaceId, flowId, runId, conversationId }, `held:${runId}`, heldSentences.message, 1)

  async function list({ workspaceId, ...about }: Document, groupKey: string, sentence: string, count: number) {
    await db.collection('attention').updateOne(
      { workspaceId, groupKey, state: 'open' },
      {
        $set: { ...about, code: 'held', sentence, lastAt: now, count: new Int32(count) },
        $setOnInsert: { firstAt: now, told: 'no' },
      },
      { upsert: true },
    )
  }
}

/** Doubts calls to other systems that had not been made: they may have been since. The worker repeats only what does no harm. */
export async function doubtCalls(db: Db): Promise<void> {
  await db
    .collection('calls')
    .updateMany({ state: 'waiting' }, { $set: { state: 'started', dueAt: new Date(0) }, $unset: { lease: '' } })
}

/** Has messaging told again where bots are active, by a number that it accepts. */
export async function tellRouting(db: Db): Promise<void> {
  await db
    .collection('routing')
    .updateMany({}, { $inc: { number: new Int32(restoredRise) }, $set: { watch: 'routing', tellAt: new Date() } })
}
