import type { Connection } from 'mongoose'

/** Lets the worker find entries of the attention list that members are not notified of; those from before are known to them. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('attention')
    .createIndex(
      { told: 1, workspaceId: 1, firstAt: 1 },
      { name: 'untold', partialFilterExpression: { told: { $exists: true } } },
    )
}
