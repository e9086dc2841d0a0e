import type { Connection } from 'mongoose'

/** Makes the index by which the run of a lane is found that has waited for longest of those whose delivery has failed. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('runs')
    .createIndex(
      { lane: 1, 'todo.since': 1 },
      { name: 'retried', partialFilterExpression: { 'todo.tries': { $gt: 0 } } },
    )
}
