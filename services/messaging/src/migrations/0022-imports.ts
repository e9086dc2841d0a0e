import { createJobIndexes } from '@parley/service-kit/data/job-record'
import { createMediaIndexes } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

/** Imports, what became of their rows, their files, and the jobs that work on them. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const imports = db.collection('imports')
  await imports.createIndex({ workspaceId: 1, _id: 1 }, { name: 'newest' })
  const remembered = { partialFilterExpression: { state: 'done' } }
  await imports.createIndex({ workspaceId: 1, headerKey: 1, _id: -1 }, { ...remembered, name: 'remembered' })
  await imports.createIndex({ stored: 1, keptUntil: 1 }, { name: 'kept', partialFilterExpression: { stored: 'file' } })
  await imports.createIndex({ createdAt: 1 }, { expireAfterSeconds: 365 * 86_400, name: 'expiry' })

  const rows = db.collection('importRows')
  await rows.createIndex({ workspaceId: 1, importId: 1, phase: 1, batch: 1 }, { unique: true, name: 'batch' })
  await rows.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' })

  await createMediaIndexes(db, 'importFiles', { distinct: true })
  await createJobIndexes(db)
}
