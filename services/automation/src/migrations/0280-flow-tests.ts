import type { Connection } from 'mongoose'

/** Makes the collection of recorded tests, which transactions find made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('flowTests').createIndex({ workspaceId: 1, flowId: 1, nameKey: 1, _id: 1 }, { name: 'name' })
}
