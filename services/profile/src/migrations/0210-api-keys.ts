import type { Connection } from 'mongoose'

/** Makes the collection of API keys and the indexes that its model declares. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const keys = db.collection('apiKeys')
  await keys.createIndex({ publicId: 1 }, { unique: true, name: 'public-id' })
  await keys.createIndex({ workspaceId: 1, revokedAt: 1, _id: -1 }, { name: 'live-keys' })
}
