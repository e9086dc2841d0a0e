import type { Connection } from 'mongoose'

/** Lists of a campaign's rows, by each figure that opens them: a page far down costs what the first one does. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const recipients = db.collection('campaignRecipients')
  const campaign = { workspaceId: 1, campaignId: 1 } as const
  await recipients.createIndex({ ...campaign, _id: 1 }, { name: 'rows' })
  await recipients.createIndex({ ...campaign, state: 1, _id: 1 }, { name: 'by-state' })
  const because = { partialFilterExpression: { reason: { $exists: true } }, name: 'by-reason' }
  await recipients.createIndex({ ...campaign, state: 1, reason: 1, _id: 1 }, because)
  for (const done of ['clicked', 'replied'])
    await recipients.createIndex(
      { ...campaign, [done]: 1, _id: 1 },
      { partialFilterExpression: { [done]: true }, name: done },
    )
}
