import type { Connection } from 'mongoose'

/** What jobs have changed, so that it can be undone. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const changed = db.collection('changedContacts')
  await changed.createIndex({ workspaceId: 1, jobId: 1, batch: 1 }, { unique: true, name: 'batch' })
  await changed.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' })
}
