import type { Connection } from 'mongoose'

/** One record of each workspace for everything that it has at most so many of. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('limits').createIndex({ workspaceId: 1, of: 1 }, { unique: true, name: 'of' })
}
