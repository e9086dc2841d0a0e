import type { Connection } from 'mongoose'

const existing = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
const byMessage = { 'lastMessage.at': -1, _id: -1 } as const

/** The lists of the inbox, and messages that are the same by the id that the sender's page gave them. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const conversations = db.collection('conversations')
  await conversations.createIndex({ workspaceId: 1, 'owner.id': 1, status: 1, ...byMessage }, { name: 'owner' })
  await conversations.createIndex(
    { workspaceId: 1, ...byMessage, unreadCount: 1 },
    { name: 'unread', partialFilterExpression: { unreadCount: { $gt: 0 } } },
  )
  // A range of dates: with a condition on the type its queries would not use the bounds of their own range.
  await conversations.createIndex(
    { workspaceId: 1, waitingSince: 1, _id: 1 },
    { name: 'waiting', partialFilterExpression: { waitingSince: { $gte: new Date(0) } } },
  )
  await conversations.createIndex({ workspaceId: 1, windowExpiresAt: 1, _id: 1 }, { name: 'window' })
  await conversations.createIndex({ workspaceId: 1, contactId: 1, ...byMessage }, { name: 'contact' })
  await conversations.createIndex({ workspaceId: 1, 'search.tags': 1 }, { name: 'tags' })
  await conversations.createIndex({ workspaceId: 1, 'search.words': 1 }, { name: 'words' })

  const messages = db.collection('messages')
  await messages.createIndex(
    { workspaceId: 1, conversationId: 1, clientId: 1 },
    { unique: true, ...existing('clientId'), name: 'client-id' },
  )
}
