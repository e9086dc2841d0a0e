import type { Connection } from 'mongoose'

/** Messages of campaigns in a conversation: what a customer writes is looked up there. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, conversationId: 1, sentAt: 1 },
      { partialFilterExpression: { 'cause.kind': 'campaign' }, name: 'campaigns-in-conversation' },
    )
}
