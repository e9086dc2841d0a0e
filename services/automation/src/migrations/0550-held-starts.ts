import type { Connection } from 'mongoose'

/** Makes the index by which the runs of a workflow are counted that its limits hold back: they have not started. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('runs')
    .createIndex(
      { workspaceId: 1, flowId: 1, heldBack: 1, createdAt: -1 },
      { name: 'held-back', partialFilterExpression: { heldBack: { $exists: true } } },
    )
}
