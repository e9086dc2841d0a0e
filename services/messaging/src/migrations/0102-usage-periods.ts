import type { Connection } from 'mongoose'

/** The plan of a workspace, and one record for each of its periods. Transactions find the collections made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('workspacePlans').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
  await db.collection('usagePeriods').createIndex({ workspaceId: 1, period: 1 }, { unique: true, name: 'period' })
  // Templates that were sent one by one; those of campaigns are counted with their campaign.
  await db.collection('messages').createIndex(
    { workspaceId: 1, sentAt: 1 },
    {
      partialFilterExpression: {
        'content.type': 'template',
        'cause.kind': { $in: ['member', 'bot', 'workflow', 'api'] },
      },
      name: 'single-templates',
    },
  )
}
