import type { Connection } from 'mongoose'

/** One setting of each workspace. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('readReceipts').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
