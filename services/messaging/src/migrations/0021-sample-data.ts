import type { Connection } from 'mongoose'

/** Finds the records of the sample data, so that they can be removed; nobody else's records are in these indexes. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const name of ['contacts', 'tags', 'conversations', 'messages', 'numbers'])
    await db
      .collection(name)
      .createIndex({ workspaceId: 1, sample: 1 }, { partialFilterExpression: { sample: true }, name: 'sample' })
  await db.collection('sampleData').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
