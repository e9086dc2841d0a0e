import type { Connection } from 'mongoose'

/** How many contacts large workspaces have, one record each. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('contactCounts').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
