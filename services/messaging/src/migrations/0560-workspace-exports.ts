import { createFileAgeIndex, createFileWorkspaceIndex, createMediaIndexes } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

/** Files of exports of whole workspaces, and the index that allows one export of a workspace at a time. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createMediaIndexes(db, 'workspaceExports', { distinct: true })
  await createFileAgeIndex(db, 'workspaceExports')
  await createFileWorkspaceIndex(db, 'workspaceExports')
  await db.collection('jobs').createIndex(
    { workspaceId: 1, kind: 1 },
    {
      name: 'one-workspace-export',
      unique: true,
      partialFilterExpression: { kind: 'workspace.export', leaseEndsAt: { $exists: true } },
    },
  )
}
