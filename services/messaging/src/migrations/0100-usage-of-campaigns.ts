import type { Connection } from 'mongoose'

/** What the messages of a campaign were billed as: counted from the keys alone. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('usage')
    .createIndex(
      { workspaceId: 1, campaignId: 1, country: 1, category: 1, billable: 1, at: 1 },
      { partialFilterExpression: { campaignId: { $exists: true } }, name: 'campaign' },
    )
}
