import type { Connection } from 'mongoose'

/**
 * Campaigns and one row for each contact in them. What makes that nobody gets a message twice are unique keys: a row has the id
 * that its message will have, and a campaign has each contact and each address once.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const sample = { partialFilterExpression: { sample: true }, name: 'sample' }
  const campaigns = db.collection('campaigns')
  await campaigns.createIndex({ workspaceId: 1, createdAt: -1, _id: -1 }, { name: 'latest' })
  await campaigns.createIndex(
    { watch: 1, nextAt: 1 },
    { partialFilterExpression: { watch: { $exists: true } }, name: 'due' },
  )
  await campaigns.createIndex({ workspaceId: 1, sample: 1 }, sample)

  const recipients = db.collection('campaignRecipients')
  await recipients.createIndex({ workspaceId: 1, campaignId: 1, contactId: 1 }, { unique: true, name: 'contact' })
  await recipients.createIndex(
    { workspaceId: 1, campaignId: 1, to: 1 },
    { unique: true, partialFilterExpression: { to: { $exists: true } }, name: 'address' },
  )
  await recipients.createIndex(
    { workspaceId: 1, campaignId: 1, n: 1, state: 1, reason: 1, clicked: 1, replied: 1 },
    { name: 'order' },
  )
  await recipients.createIndex({ workspaceId: 1, campaignId: 1, state: 1 }, { name: 'states' })
  await recipients.createIndex({ workspaceId: 1, sample: 1 }, sample)

  const blocks = db.collection('campaignBlocks')
  await blocks.createIndex({ workspaceId: 1, campaignId: 1, block: 1 }, { unique: true, name: 'block' })
  await blocks.createIndex({ workspaceId: 1, sample: 1 }, sample)
  const totals = db.collection('campaignTotals')
  await totals.createIndex({ workspaceId: 1, campaignId: 1 }, { unique: true, name: 'campaign' })
  await totals.createIndex({ workspaceId: 1, sample: 1 }, sample)

  // Messages of campaigns that have not left yet.
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'cause.id': 1, 'dispatch.state': 1 },
      { partialFilterExpression: { 'cause.kind': 'campaign', sendLane: { $exists: true } }, name: 'open-of-campaign' },
    )
}
