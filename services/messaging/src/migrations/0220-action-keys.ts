import type { Connection } from 'mongoose'

const day = 86_400

/** Finds what bots and workflows have done by its key, for as long as a call may be repeated. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const keys = db.collection('actionKeys')
  await keys.createIndex({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
  await keys.createIndex({ createdAt: 1 }, { name: 'kept', expireAfterSeconds: 35 * day })
}
