import type { Connection } from 'mongoose'

/** Templates by when they were handed to WhatsApp as new ones, of which it takes so many an hour. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('templates')
    .createIndex(
      { workspaceId: 1, businessAccountId: 1, sentAt: 1 },
      { partialFilterExpression: { sentAt: { $exists: true } }, name: 'sent' },
    )
}
