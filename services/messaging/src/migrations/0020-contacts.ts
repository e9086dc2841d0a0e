import type { Connection } from 'mongoose'

const day = 86_400

/**
 * Lists of contacts. `live` stands behind the workspace in each, so that deleted contacts are in no one's way. Nothing that
 * every message changes (`lastContactAt`) stands behind a list of words, tags or digits: each of its keys would be written anew.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const contacts = db.collection('contacts')
  const list = (keys: Record<string, 1 | -1>, name: string) =>
    contacts.createIndex({ workspaceId: 1, live: 1, ...keys }, { name })
  await list({ lastContactAt: -1, _id: -1 }, 'last')
  await list({ nameKey: 1, _id: 1 }, 'name')
  await list({ _id: 1 }, 'newest')
  await list({ words: 1, nameKey: 1, _id: 1 }, 'words')
  await list({ tags: 1, nameKey: 1, _id: 1 }, 'tags')
  await list({ grams: 1 }, 'grams')
  await contacts.createIndex({ deletedAt: 1 }, { expireAfterSeconds: 30 * day, name: 'purged' })

  const tags = db.collection('tags')
  await tags.createIndex({ workspaceId: 1, name: 1 }, { unique: true, name: 'name' })
  await tags.createIndex({ workspaceId: 1, _id: 1 }, { name: 'oldest' })
}
