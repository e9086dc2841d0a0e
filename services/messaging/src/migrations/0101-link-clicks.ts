import type { Connection } from 'mongoose'

/** Visits of the counted links of a message: a row for each of its buttons. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('linkClicks')
    .createIndex({ workspaceId: 1, messageId: 1, index: 1 }, { unique: true, name: 'link' })
}
