import { createAnswerIndex } from '@parley/service-kit/data/idempotency-store'
import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Workspaces that are being deleted, their mails, and erasures of workspaces. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('workspaces')
    .createIndex({ closing: 1, 'deletion.until': 1 }, { name: 'closing', ...whereExists('closing') })
  await createAnswerIndex(db)
  await db.collection('mails').createIndex({ workspaceId: 1 }, { name: 'workspace' })
  const erasures = db.collection('workspaceErasures')
  await erasures.createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await erasures.createIndex({ open: 1, begunAt: 1 }, { name: 'open', ...whereExists('open') })
}
