import type { Connection } from 'mongoose'

/** Saved replies; raw events by the message that they are about. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const replies = db.collection('savedReplies')
  await replies.createIndex({ workspaceId: 1, shortcut: 1 }, { unique: true, name: 'shortcut' })
  await replies.createIndex({ workspaceId: 1, shortcut: 1, _id: 1 }, { name: 'list' })

  await db
    .collection('rawEvents')
    .createIndex(
      { workspaceId: 1, waMessageId: 1, _id: 1 },
      { name: 'message', partialFilterExpression: { waMessageId: { $exists: true } } },
    )
}
