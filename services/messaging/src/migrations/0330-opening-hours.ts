import type { Connection } from 'mongoose'

/** Index of the opening hours of workspaces. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('openingHours').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
}
