import type { Connection } from 'mongoose'

/** Saved segments: one of each name in a workspace. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('segments').createIndex({ workspaceId: 1, nameKey: 1 }, { unique: true, name: 'name' })
}
