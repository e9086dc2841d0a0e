import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Rules for approvals, and the requests of members. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('approvalRules').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  const approvals = db.collection('approvals')
  await approvals.createIndex({ workspaceId: 1, campaignId: 1 }, { name: 'open', unique: true, ...whereExists('open') })
  await approvals.createIndex({ workspaceId: 1, campaignId: 1, askedAt: -1, _id: -1 }, { name: 'campaign' })
  await approvals.createIndex({ workspaceId: 1, state: 1, askedAt: 1 }, { name: 'state' })
  await approvals.createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 90 * 86_400 })
}
