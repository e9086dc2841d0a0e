import type { Connection } from 'mongoose'

/** Index of the setting for how long entries of the audit log are kept. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('auditRetention').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
}
