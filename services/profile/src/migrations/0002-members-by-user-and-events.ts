import { createEventIndexes } from '@parley/service-kit/data/event-log'
import type { Connection } from 'mongoose'

/** Memberships of one user; the event log. A transaction finds its collections made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('members').createIndex({ userId: 1, _id: 1 }, { name: 'memberships' })
  const existing = await db.listCollections({ name: 'workspaces' }, { nameOnly: true }).toArray()
  if (existing.length === 0) await db.createCollection('workspaces')
  await createEventIndexes(db)
}
