import type { Connection } from 'mongoose'

/** Finds what a member has sent, and whom they have answered. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'cause.id': 1, sentAt: -1, _id: -1 },
      { name: 'by-member', partialFilterExpression: { 'cause.kind': 'member' } },
    )
  await db
    .collection('answers')
    .createIndex(
      { workspaceId: 1, 'by.id': 1, since: -1, _id: -1 },
      { name: 'by-author', partialFilterExpression: { 'by.id': { $exists: true } } },
    )
}
