import type { Connection } from 'mongoose'

/** Exports of one conversation, the newest first. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const ofConversation = { workspaceId: 1, 'input.conversationId': 1, _id: -1 } as const
  const partialFilterExpression = { kind: 'conversations.export' }
  await db.collection('jobs').createIndex(ofConversation, { partialFilterExpression, name: 'chat-exports' })
}
