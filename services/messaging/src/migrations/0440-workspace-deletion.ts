import { whereExists } from '@parley/service-kit/data/partial-index'
import { createFileWorkspaceIndex } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

/** Workspaces that are being deleted, and the received events and files of a workspace. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const closing = db.collection('closingWorkspaces')
  await closing.createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await closing.createIndex({ closing: 1 }, { name: 'closing', ...whereExists('closing') })
  await db.collection('rawEvents').createIndex({ workspaceId: 1 }, { name: 'workspace' })
  for (const name of ['media', 'importFiles', 'exportFiles']) await createFileWorkspaceIndex(db, name)
}
