import type { Connection } from 'mongoose'

/** Finds the notifications of one member, and those that are for all: each are kept apart. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('notifications').createIndex({ workspaceId: 1, for: 1, at: -1, _id: -1 }, { name: 'audience' })
}
