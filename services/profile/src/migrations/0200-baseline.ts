import { createEventIndexes } from '@parley/service-kit/data/event-log'
import { createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

/** Makes the collections of 0.2.0, which transactions find made, and the indexes that their models declare. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('users').createIndex({ iss: 1, sub: 1 }, { unique: true, name: 'identity' })
  const members = db.collection('members')
  await members.createIndex({ workspaceId: 1, userId: 1 }, { unique: true, name: 'membership' })
  await members.createIndex({ userId: 1, _id: 1 }, { name: 'memberships' })
  const existing = await db.listCollections({ name: 'workspaces' }, { nameOnly: true }).toArray()
  if (existing.length === 0) await db.createCollection('workspaces')
  await createEventIndexes(db)
  await createIdempotencyIndex(db)
}
