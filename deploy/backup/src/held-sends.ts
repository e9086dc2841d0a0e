import { laneOf } from '@parley/service-kit/queue/lanes'
import { type Db, Int32, ObjectId } from 'mongodb'

/** Reason that people see with each held message, by which it is also found again. */
const reason = 'Held: the database was restored, and nobody knows whether this message has left since the backup.'
/** Lane in which scheduled messages wait for their time, in the state `held`. */
const scheduledLane = 'scheduled'
const held = { 'dispatch.state': 'held', 'dispatch.lastError.message': reason }

/**
 * Takes messages that waited to be sent when a backup was taken out of their lanes: they may have been sent since, and would
 * be sent again. @returns how many.
 */
export async function holdSends(db: Db): Promise<number> {
  const { modifiedCount } = await db.collection('messages').updateMany(
    { sendLane: { $exists: true } },
    {
      $set: { 'dispatch.state': 'held', 'dispatch.lastError': { code: new Int32(0), message: reason } },
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
