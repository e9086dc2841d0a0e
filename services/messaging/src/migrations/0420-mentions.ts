import type { Connection } from 'mongoose'

/** Finds the conversations whose notes mention a member. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('conversations')
    .createIndex(
      { workspaceId: 1, mentioned: 1, 'lastMessage.at': -1, _id: -1 },
      { name: 'mentioned', partialFilterExpression: { mentioned: { $exists: true } } },
    )
}
