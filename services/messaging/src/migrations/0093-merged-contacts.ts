import type { Connection } from 'mongoose'

const existing = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Who was merged into a contact, and which messages have come with them. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('contacts')
    .createIndex({ workspaceId: 1, 'merged.id': 1, 'merged.at': -1 }, { ...existing('merged.id'), name: 'merged' })
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'moved.conversationId': 1, _id: 1 },
      { ...existing('moved.conversationId'), name: 'moved' },
    )
}
