import type { Connection } from 'mongoose'

/** What happens with campaigns, in its order; and of those that were launched before this was noted, what they tell of it. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const events = db.collection('campaignEvents')
  await events.createIndex({ workspaceId: 1, campaignId: 1, at: -1, _id: -1 }, { name: 'campaign' })
  await events.createIndex({ workspaceId: 1, sample: 1 }, { partialFilterExpression: { sample: true }, name: 'sample' })
  const recipients = { $ifNull: ['$expected.reachable', 0] }
  const launched = { kind: 'launched', recipients, accepted: '$launched.accepted' }
  const add = (entry: object, match: object = {}) =>
    db
      .collection('campaigns')
      .aggregate([
        { $match: { 'launched.at': { $exists: true }, ...match } },
        { $project: { workspaceId: 1, campaignId: '$_id', ...entry } },
        { $merge: { into: 'campaignEvents', on: '_id', whenMatched: 'keepExisting' } },
      ])
      .toArray()
  // The same ids however often this runs.
  await add({ at: '$launched.at', memberId: '$launched.by', told: launched })
  await add(
    { _id: { $toObjectId: '$launched.reviewId' }, at: '$completedAt', told: { kind: 'completed' } },
    { completedAt: { $exists: true } },
  )
}
