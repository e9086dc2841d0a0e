import { createAuditIndexes } from '@parley/service-kit/data/audit-log'
import type { Connection } from 'mongoose'

/** The audit log: its entries, the chains of workspaces, and accounts by address, for sign-ins that fail. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const entries = db.collection('auditEntries')
  await createAuditIndexes(db)
  const chained = { partialFilterExpression: { seq: { $exists: true } } }
  await entries.createIndex({ workspaceId: 1, seq: 1 }, { ...chained, name: 'chain', unique: true })
  await entries.createIndex({ workspaceId: 1, at: -1, _id: -1 }, { name: 'newest' })
  await entries.createIndex({ workspaceId: 1, 'actor.id': 1, at: -1, _id: -1 }, { name: 'actor' })
  await entries.createIndex({ workspaceId: 1, 'targets.id': 1, at: -1, _id: -1 }, { name: 'target' })
  await entries.createIndex({ workspaceId: 1, resource: 1, at: -1, _id: -1 }, { name: 'resource' })
  const existing = await db.listCollections({ name: 'auditHeads' }, { nameOnly: true }).toArray()
  if (existing.length === 0) await db.createCollection('auditHeads')
  await db.collection('users').createIndex({ email: 1 }, { name: 'email' })
}
