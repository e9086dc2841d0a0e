import type { Connection } from 'mongoose'

/** Rows of a campaign by their group of time zones. Rows without one, all those of before, are not in it. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('campaignRecipients')
    .createIndex(
      { workspaceId: 1, campaignId: 1, zone: 1, n: 1, state: 1, reason: 1 },
      { partialFilterExpression: { zone: { $exists: true } }, name: 'zone' },
    )
}
