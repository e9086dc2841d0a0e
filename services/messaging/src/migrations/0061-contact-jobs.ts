import { createFileAgeIndex, createMediaIndexes } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

/** Jobs as a list of them shows them, and the files that exports write. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('jobs').createIndex({ workspaceId: 1, kind: 1, _id: -1 }, { name: 'kind' })
  await createMediaIndexes(db, 'exportFiles', { distinct: true })
  await createFileAgeIndex(db, 'exportFiles')
}
