import type { Connection } from 'mongoose'

/** Times at which members were last seen in their workspaces. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('memberActivity').createIndex({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
}
