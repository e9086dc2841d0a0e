import type { Connection } from 'mongoose'

/** Index of the notification settings of members. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('notificationSettings')
    .createIndex({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
}
