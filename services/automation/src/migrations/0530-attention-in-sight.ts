import type { Connection } from 'mongoose'

/** Makes the index that counts what an agent with limited sight has to look at, by flow. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('attention')
    .createIndex({ workspaceId: 1, state: 1, conversationId: 1, flowId: 1 }, { name: 'open-of-conversation' })
}
