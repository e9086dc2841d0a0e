import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Requests for other actions than launches. Only once one is made does an older version fail to list what waits. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const approvals = db.collection('approvals')
  await approvals.createIndex(
    { workspaceId: 1, campaignId: 1, key: 1 },
    { name: 'open_place', unique: true, ...whereExists('open') },
  )
  await approvals.createIndex({ workspaceId: 1, key: 1, askedAt: -1, _id: -1 }, { name: 'key', ...whereExists('key') })
  // One open request of a draft is one open request of a place; that of a place without a draft was none.
  const names = (await approvals.indexes()).map(({ name }) => name)
  if (names.includes('open')) await approvals.dropIndex('open')
}
