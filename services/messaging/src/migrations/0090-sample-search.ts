import type { Connection } from 'mongoose'

/** Finds what makes the messages of the sample data searchable, so that it can be removed; nobody else's records are in this index. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messageSearch')
    .createIndex({ workspaceId: 1, sample: 1 }, { partialFilterExpression: { sample: true }, name: 'sample' })
}
