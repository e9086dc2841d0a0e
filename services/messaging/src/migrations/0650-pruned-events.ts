import type { Connection } from 'mongoose'

/** Index of the workspaces whose events wait longest to be looked through for old ones. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('eventHeads').createIndex({ prunedAt: 1 }, { name: 'pruned' })
}
