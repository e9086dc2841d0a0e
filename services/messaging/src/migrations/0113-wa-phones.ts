import type { Connection } from 'mongoose'

/** Contacts by the number by which WhatsApp names them, where it is another form of theirs: few are. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('contacts')
    .createIndex(
      { workspaceId: 1, 'waPhone.number': 1 },
      { partialFilterExpression: { 'waPhone.number': { $exists: true } }, name: 'wa-phone' },
    )
}
