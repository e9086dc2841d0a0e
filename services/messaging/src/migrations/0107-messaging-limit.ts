import type { Connection } from 'mongoose'

/** Customers that WhatsApp counts as written to first, by portfolio, and the campaigns of a number. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'limit.portfolioId': 1, 'limit.at': 1, contactId: 1 },
      { partialFilterExpression: { 'limit.at': { $exists: true } }, name: 'portfolio' },
    )
  await db.collection('campaigns').createIndex({ workspaceId: 1, numberId: 1, status: 1 }, { name: 'number' })
}
