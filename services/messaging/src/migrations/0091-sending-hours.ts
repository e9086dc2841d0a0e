import type { Connection } from 'mongoose'

/** One setting of each workspace. A transaction finds the collection made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('sendingHours').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
