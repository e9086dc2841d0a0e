import type { Connection } from 'mongoose'

/** The indexes that make a repeated or racing session-context end in one user and one membership. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('users').createIndex({ iss: 1, sub: 1 }, { unique: true, name: 'identity' })
  await db.collection('members').createIndex({ workspaceId: 1, userId: 1 }, { unique: true, name: 'membership' })
}
