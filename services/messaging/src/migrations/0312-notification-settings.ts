import type { Connection } from 'mongoose'

/** What each member is notified of. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('notificationSettings')
    .createIndex({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
}
