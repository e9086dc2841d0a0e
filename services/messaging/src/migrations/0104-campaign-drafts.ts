import type { Connection } from 'mongoose'

/** Drafts are counted, and those that wait are found, by their state. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('campaigns')
    .createIndex({ workspaceId: 1, status: 1, createdAt: -1, _id: -1 }, { name: 'status' })
}
