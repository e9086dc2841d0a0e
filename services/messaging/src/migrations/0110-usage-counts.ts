import type { Connection } from 'mongoose'

const collections = ['usageEntries', 'usageCounts', 'usageWatches'] as const
/** A period has 31 days at most; what a status may still change is younger. */
const keptSeconds = 400 * 86_400
const countedDays = 62

/**
 * What was sent one by one has an entry, and a count for each quarter of an hour. What was sent before is counted once; the
 * worker counts what is sent from now on, and finds by its entry what was counted here.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const [entries, counts, watches] = collections.map((name) => db.collection(name))
  if (!entries || !counts || !watches) throw new Error('there are three collections')
  await entries.createIndex({ workspaceId: 1, messageId: 1 }, { unique: true, name: 'message' })
  await entries.createIndex({ from: 1 }, { expireAfterSeconds: keptSeconds, name: 'kept' })
  await counts.createIndex({ workspaceId: 1, from: 1 }, { unique: true, name: 'quarter' })
  await watches.createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
  await watches.createIndex(
    { watch: 1, dueAt: 1 },
    { partialFilterExpression: { watch: { $exists: true } }, name: 'due' },
  )
  const quarterMs = 15 * 60_000
  const counted = {
    direction: 'outbound',
    'cause.kind': { $in: ['member', 'bot', 'workflow', 'api'] },
    status: { $in: ['sent', 'delivered', 'read'] },
    sentAt: { $gte: new Date(Date.now() - countedDays * 86_400_000) },
    sample: { $exists: false },
  }
  const entry = {
    _id: '$_id',
    workspaceId: '$workspaceId',
    messageId: '$_id',
    kind: { $cond: [{ $eq: ['$content.type', 'template'] }, 'credit', 'message'] },
    from: { $subtract: ['$sentAt', { $mod: [{ $toLong: '$sentAt' }, quarterMs] }] },
    counts: { $literal: true },
  }
  await db
    .collection('messages')
    .aggregate([
      { $match: counted },
      { $project: entry },
      { $merge: { into: 'usageEntries', on: '_id', whenMatched: 'keepExisting' } },
    ])
    .toArray()
  const group = {
    _id: { workspaceId: '$workspaceId', from: '$from' },
    messages: { $sum: 1 },
    credits: { $sum: { $cond: [{ $eq: ['$kind', 'credit'] }, 1, 0] } },
  }
  const count = { _id: 0, workspaceId: '$_id.workspaceId', from: '$_id.from', messages: 1, credits: 1 }
  await entries
    .aggregate([
      { $match: { counts: true } },
      { $group: group },
      { $project: count },
      { $merge: { into: 'usageCounts', on: ['workspaceId', 'from'], whenMatched: 'replace' } },
    ])
    .toArray()
}
