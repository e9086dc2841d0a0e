import type { Connection } from 'mongoose'

/** Finds conversations that wait to be assigned, and what automation has told of a workspace. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('automationStates').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await db
    .collection('conversations')
    .createIndex(
      { 'assignment.state': 1, 'assignment.at': 1 },
      { name: 'assignment', partialFilterExpression: { 'assignment.state': { $exists: true } } },
    )
}
