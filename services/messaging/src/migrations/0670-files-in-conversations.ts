import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/**
 * Finds a file in a conversation, and files that a member has uploaded of late. The version before asks for `media`, the index without
 * conversations, by name: it is dropped where nothing is stored yet, and elsewhere by the release after this one.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const messages = db.collection('messages')
  await messages.createIndex(
    { workspaceId: 1, 'content.mediaId': 1, conversationId: 1 },
    { name: 'file', ...whereExists('content.mediaId') },
  )
  const isEmpty = (await messages.findOne({}, { projection: { _id: 1 } })) === null
  if (isEmpty && (await messages.indexes()).some(({ name }) => name === 'media')) await messages.dropIndex('media')
  const uploaded = db.collection('uploadedFiles')
  await uploaded.createIndex({ workspaceId: 1, mediaId: 1, memberId: 1 }, { name: 'file', unique: true })
  await uploaded.createIndex({ uploadedAt: 1 }, { name: 'kept', expireAfterSeconds: 7 * 86_400 })
}
