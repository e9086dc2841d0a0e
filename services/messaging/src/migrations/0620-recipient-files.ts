import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Finds the files that recipients of campaigns get: by address, those that are due, and those that are kept no longer. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const files = db.collection('recipientFiles')
  const ofCampaign = { workspaceId: 1, campaignId: 1 } as const
  await files.createIndex({ ...ofCampaign, key: 1 }, { name: 'address', unique: true })
  await files.createIndex({ dueAt: 1 }, { name: 'due', ...whereExists('dueAt') })
  await files.createIndex({ ...ofCampaign, dueAt: 1 }, { name: 'waiting', ...whereExists('dueAt') })
  await files.createIndex({ ...ofCampaign, endedAt: 1, state: 1 }, { name: 'ended' })
  await files.createIndex({ workspaceId: 1, mediaId: 1 }, { name: 'file', ...whereExists('mediaId') })
  await db
    .collection('campaignRecipients')
    .createIndex({ ...ofCampaign, 'file.address': 1 }, { name: 'file', ...whereExists('file.address') })
  await files.createIndex({ keptUntil: 1 }, { name: 'kept', ...whereExists('keptUntil') })
}
