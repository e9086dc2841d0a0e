import type { Connection } from 'mongoose'

/** Notes and activity lines of a contact's conversations. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, contactId: 1, sentAt: -1, _id: -1 },
      { partialFilterExpression: { direction: 'note' }, name: 'contact-notes' },
    )
}
