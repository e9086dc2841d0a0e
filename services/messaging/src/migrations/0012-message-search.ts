import type { Connection } from 'mongoose'

/** Messages by their words, newest first. A transaction finds the collection made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('messageSearch').createIndex({ workspaceId: 1, words: 1, at: -1, _id: -1 }, { name: 'words' })
}
