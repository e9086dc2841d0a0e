import { createInboxIndexes } from '@parley/service-kit/data/inbox'
import type { Connection } from 'mongoose'

/** Messages of other services, each applied once, and members who have left. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createInboxIndexes(db)
  const departures = db.collection('departures')
  await departures.createIndex({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
  await departures.createIndex({ state: 1, dueAt: 1 }, { name: 'due' })
}
