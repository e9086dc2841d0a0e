import type { Connection } from 'mongoose'

/** Finds the templates of the sample data, so that they can be removed. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('templates')
    .createIndex({ workspaceId: 1, sample: 1 }, { partialFilterExpression: { sample: true }, name: 'sample' })
}
