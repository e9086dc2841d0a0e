import type { Connection } from 'mongoose'

/** Finds acceptances that are left to be settled, and those of a workspace. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const acceptances = db.collection('acceptances')
  await acceptances.createIndex({ state: 1, at: 1 }, { name: 'age' })
  await acceptances.createIndex({ workspaceId: 1 }, { name: 'workspace' })
}
