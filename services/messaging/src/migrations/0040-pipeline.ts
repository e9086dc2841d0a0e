import type { Connection } from 'mongoose'

const day = 86_400

/** What waits for its message, and what the platform tells of accounts. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const parked = db.collection('parked')
  await parked.createIndex({ workspaceId: 1, waMessageId: 1 }, { unique: true, name: 'wamid' })
  await parked.createIndex({ createdAt: 1 }, { expireAfterSeconds: 7 * day, name: 'kept' })

  const accountEvents = db.collection('accountEvents')
  await accountEvents.createIndex({ workspaceId: 1, key: 1 }, { unique: true, name: 'key' })
  await accountEvents.createIndex({ workspaceId: 1, field: 1, at: -1 }, { name: 'field' })
  await accountEvents.createIndex({ recordedAt: 1 }, { expireAfterSeconds: 90 * day, name: 'kept' })
}
