import type { Connection } from 'mongoose'

/**
 * Index of the workspaces whose events wait longest to be looked through for old ones. Nobody knows yet who goes through events by a cursor of
 * their own: those of before are kept as long as they were promised to be.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const heads = db.collection('eventHeads')
  await heads.createIndex({ prunedAt: 1 }, { name: 'pruned' })
  await heads.updateMany({ readAt: { $exists: false } }, { $set: { readAt: new Date() } })
}
