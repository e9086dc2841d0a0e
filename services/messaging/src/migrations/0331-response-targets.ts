import type { Connection } from 'mongoose'

/** Finds conversations by when an answer is due, and waits whose target something is to be done about. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('responseTargets').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await db
    .collection('conversations')
    .createIndex(
      { workspaceId: 1, dueAt: 1, _id: 1 },
      { name: 'due', partialFilterExpression: { dueAt: { $gte: new Date(0) } } },
    )
  await db
    .collection('answers')
    .createIndex(
      { 'watch.state': 1, 'watch.at': 1 },
      { name: 'watch', partialFilterExpression: { 'watch.state': { $exists: true } } },
    )
}
