import type { Connection } from 'mongoose'

/** Saved views of lists. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const key = { workspaceId: 1, screen: 1, ownerId: 1, nameKey: 1 } as const
  await db.collection('views').createIndex(key, { unique: true, name: 'name' })
}
