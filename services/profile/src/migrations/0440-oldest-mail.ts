import type { Connection } from 'mongoose'

/** Makes the index by which the oldest mail is found that has not left. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('mails')
    .createIndex(
      { pending: 1, createdAt: 1 },
      { name: 'oldest', partialFilterExpression: { pending: { $exists: true } } },
    )
}
