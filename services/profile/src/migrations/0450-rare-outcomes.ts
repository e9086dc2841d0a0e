import type { Connection } from 'mongoose'

/** Finds entries of the audit log that tell of what was refused or has failed: few beside those of what was done. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const rare = { partialFilterExpression: { outcome: { $in: ['refused', 'failed'] } } }
  await db
    .collection('auditEntries')
    .createIndex({ workspaceId: 1, outcome: 1, at: -1, _id: -1 }, { ...rare, name: 'not-done' })
}
