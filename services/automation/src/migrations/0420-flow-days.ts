import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
const isText = (field: string) => ({ $eq: [{ $type: `$${field}` }, 'string'] })

/**
 * Makes the days of flows, and counts the runs that there are: each says what it counts as, and the days are the sum of that. Both may be
 * done again. Runs that the version before begins meanwhile count once they have ended.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('flowDays').createIndexes([
    { name: 'days', key: { workspaceId: 1, flowId: 1, day: 1, part: 1 }, unique: true },
    { name: 'fresh', key: { fresh: 1, _id: 1 }, ...exists('fresh') },
    { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ])
  const runs = db.collection('runs')
  await runs.createIndexes([
    { name: 'uncounted-of', key: { workspaceId: 1, flowId: 1, uncounted: 1 }, ...exists('uncounted') },
  ])
  await runs.updateMany({ talliedAs: { $exists: false } }, [
    {
      $set: {
        talliedAs: {
          $cond: [
            // The end of some is yet to be counted.
            { $or: [{ $not: [isText('outcome')] }, isText('uncounted')] },
            'begun',
            { $cond: [{ $and: [{ $eq: ['$outcome', 'completed'] }, '$followedUp'] }, 'followed_up', '$outcome'] },
          ],
        },
      },
    },
  ])
  const count = (...as: readonly string[]) => ({ $sum: { $cond: [{ $in: ['$talliedAs', as] }, 1, 0] } })
  const day = { $dateTrunc: { date: '$createdAt', unit: 'day' } }
  await runs
    .aggregate(
      [
        {
          $group: {
            _id: { workspaceId: '$workspaceId', flowId: '$flowId', day },
            begun: { $sum: 1 },
            open: count('begun'),
            resolved: count('completed'),
            succeeded: count('completed', 'followed_up', 'handed_over'),
            // Ended runs of the sample do not expire.
            told: { $sum: { $cond: [{ $and: [isText('outcome'), { $lte: ['$expireAt', null] }] }, 1, 0] } },
          },
        },
        {
          $project: {
            _id: 0,
            workspaceId: '$_id.workspaceId',
            flowId: '$_id.flowId',
            day: '$_id.day',
            part: 'before',
            begun: 1,
            ended: { $subtract: ['$begun', '$open'] },
            resolved: 1,
            succeeded: 1,
            expireAt: {
              $cond: ['$told', '$$REMOVE', { $dateAdd: { startDate: '$_id.day', unit: 'day', amount: 400 } }],
            },
          },
        },
        { $merge: { into: 'flowDays', on: ['workspaceId', 'flowId', 'day', 'part'], whenMatched: 'replace' } },
      ],
      { allowDiskUse: true },
    )
    .toArray()
}
