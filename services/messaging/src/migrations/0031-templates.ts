import type { Connection } from 'mongoose'

/** Message templates; one that is removed keeps no key, so that its name is free. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const templates = db.collection('templates')
  const live = { partialFilterExpression: { key: { $exists: true } } }
  await templates.createIndex({ workspaceId: 1, key: 1 }, { ...live, unique: true, name: 'key' })
  await templates.createIndex({ workspaceId: 1, updatedAt: -1, _id: -1 }, { ...live, name: 'latest' })
}
