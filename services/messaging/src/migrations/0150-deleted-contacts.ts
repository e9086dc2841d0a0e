import type { Connection } from 'mongoose'

/**
 * Deleted contacts, by when their time to be restored is over: their erasure begins then, and takes their conversations with it.
 * MongoDB removed the record alone before.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const contacts = db.collection('contacts')
  if (await contacts.indexExists('purged')) await contacts.dropIndex('purged')
  await contacts.createIndex(
    { deletedAt: 1 },
    { partialFilterExpression: { deletedAt: { $exists: true } }, name: 'deleted' },
  )
}
