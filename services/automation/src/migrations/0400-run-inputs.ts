import type { Connection } from 'mongoose'

/** Makes the collection of what runs took, with the index by which they are replayed, and the one by which it expires. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('runInputs').createIndexes([
    { name: 'run', key: { workspaceId: 1, runId: 1, inputNo: 1 }, unique: true },
    { name: 'kept', key: { at: 1 }, expireAfterSeconds: 30 * 86_400 },
  ])
}
