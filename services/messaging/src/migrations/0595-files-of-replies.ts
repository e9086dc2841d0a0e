import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Finds the saved replies that carry a file, and files that none carries any more. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('savedReplies')
    .createIndex({ workspaceId: 1, 'file.mediaId': 1 }, { name: 'file', ...whereExists('file.mediaId') })
  const released = db.collection('releasedFiles')
  await released.createIndex({ workspaceId: 1, mediaId: 1 }, { name: 'file', unique: true })
  await released.createIndex({ releasedAt: 1 }, { name: 'released' })
}
