import type { Connection } from 'mongoose'

/** Templates by their account and by their id at WhatsApp; when each account's are compared with those there. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const templates = db.collection('templates')
  const known = { partialFilterExpression: { waTemplateId: { $exists: true } } }
  await templates.createIndex({ workspaceId: 1, waTemplateId: 1 }, { ...known, unique: true, name: 'platform' })
  await templates.createIndex({ workspaceId: 1, businessAccountId: 1 }, { name: 'account' })

  const syncs = db.collection('templateSyncs')
  await syncs.createIndex({ workspaceId: 1, businessAccountId: 1 }, { unique: true, name: 'account' })
  await syncs.createIndex({ watch: 1, nextAt: 1 }, { name: 'due' })
}
