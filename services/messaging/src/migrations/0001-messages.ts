import { createEventIndexes } from '@parley/service-kit/data/event-log'
import type { Connection } from 'mongoose'

const day = 86_400
const existing = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/**
 * Numbers, contacts, conversations and messages, what comes in and what goes out. Every query of the service has its index
 * here; collections are made before a transaction writes to them.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const endpoints = db.collection('endpoints')
  await endpoints.createIndex({ publicId: 1 }, { unique: true, name: 'address' })
  await endpoints.createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })

  const numbers = db.collection('numbers')
  await numbers.createIndex({ phoneNumberId: 1 }, { unique: true, name: 'phone-number-id' })
  await numbers.createIndex({ workspaceId: 1, _id: 1 }, { name: 'workspace' })

  const rawEvents = db.collection('rawEvents')
  await rawEvents.createIndex({ lane: 1, _id: 1 }, { ...existing('lane'), name: 'pending' })
  await rawEvents.createIndex({ workspaceId: 1, deadAt: -1 }, { ...existing('deadAt'), name: 'dead' })
  await rawEvents.createIndex({ appliedAt: 1 }, { expireAfterSeconds: 7 * day, name: 'kept' })

  const contacts = db.collection('contacts')
  await contacts.createIndex({ workspaceId: 1, phone: 1 }, { unique: true, ...existing('phone'), name: 'phone' })
  await contacts.createIndex(
    { workspaceId: 1, waUserId: 1 },
    { unique: true, ...existing('waUserId'), name: 'user-id' },
  )

  const conversations = db.collection('conversations')
  await conversations.createIndex({ workspaceId: 1, numberId: 1, contactId: 1 }, { unique: true, name: 'pair' })
  await conversations.createIndex({ workspaceId: 1, 'lastMessage.at': -1, _id: -1 }, { name: 'newest' })
  await conversations.createIndex({ workspaceId: 1, status: 1, 'lastMessage.at': -1, _id: -1 }, { name: 'status' })

  const messages = db.collection('messages')
  await messages.createIndex(
    { workspaceId: 1, waMessageId: 1 },
    { unique: true, ...existing('waMessageId'), name: 'wamid' },
  )
  await messages.createIndex({ workspaceId: 1, conversationId: 1, sentAt: -1, _id: -1 }, { name: 'thread' })

  const usage = db.collection('usage')
  await usage.createIndex({ workspaceId: 1, messageId: 1 }, { unique: true, name: 'message' })
  await usage.createIndex({ workspaceId: 1, at: 1 }, { name: 'time' })

  await createEventIndexes(db)
}
