import { createMediaIndexes } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

const day = 86_400

const existing = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** What waits for its message, what the platform tells of accounts, messages as work for the sender, and files. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const parked = db.collection('parked')
  await parked.createIndex({ workspaceId: 1, waMessageId: 1 }, { unique: true, name: 'wamid' })
  await parked.createIndex({ createdAt: 1 }, { expireAfterSeconds: 7 * day, name: 'kept' })

  const messages = db.collection('messages')
  const waiting = existing('sendLane')
  await messages.createIndex(
    { sendLane: 1, numberId: 1, 'dispatch.priority': 1, _id: 1 },
    { ...waiting, name: 'outbox' },
  )
  await messages.createIndex({ workspaceId: 1, conversationId: 1, _id: 1 }, { ...waiting, name: 'outbox-conversation' })
  await messages.createIndex({ sendLane: 1, 'dispatch.notBefore': 1 }, { ...waiting, name: 'scheduled' })
  await messages.createIndex({ 'dispatch.leaseUntil': 1 }, { ...existing('dispatch.leaseUntil'), name: 'leases' })
  await messages.createIndex({ 'dispatch.uncertainAt': 1 }, { ...existing('dispatch.uncertainAt'), name: 'uncertain' })
  await messages.createIndex({ createdAt: 1 }, { ...existing('mediaFetch.state'), name: 'media-due' })

  await createMediaIndexes(db)
  const thumbnails = db.collection('thumbnails')
  await thumbnails.createIndex({ workspaceId: 1, mediaId: 1 }, { unique: true, name: 'media' })
  const uploads = db.collection('mediaUploads')
  await uploads.createIndex({ workspaceId: 1, mediaId: 1, numberId: 1 }, { unique: true, name: 'media' })
  await uploads.createIndex({ uploadedAt: 1 }, { expireAfterSeconds: 29 * day, name: 'kept' })

  const accountEvents = db.collection('accountEvents')
  await accountEvents.createIndex({ workspaceId: 1, key: 1 }, { unique: true, name: 'key' })
  await accountEvents.createIndex({ workspaceId: 1, field: 1, at: -1 }, { name: 'field' })
  await accountEvents.createIndex({ recordedAt: 1 }, { expireAfterSeconds: 90 * day, name: 'kept' })
}
