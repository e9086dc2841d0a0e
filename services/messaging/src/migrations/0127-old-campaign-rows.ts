import type { Connection } from 'mongoose'

/** Campaigns that have ended, and that nobody looks at again, wait until their rows are old. Sample data stays until it is removed. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const endedAt = { $cond: [{ $eq: ['$status', 'completed'] }, '$completedAt', '$stoppedAt'] }
  await db.collection('campaigns').updateMany(
    {
      status: { $in: ['completed', 'cancelled'] },
      watch: { $exists: false },
      rowsRemoved: { $exists: false },
      sample: { $ne: true },
    },
    [{ $set: { watch: 'campaign-rows', nextAt: { $ifNull: [endedAt, '$updatedAt'] } } }],
  )
}
