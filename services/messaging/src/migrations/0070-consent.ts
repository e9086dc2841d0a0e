import type { Connection } from 'mongoose'

/** What people have said about consent, addresses that have opted out, and each workspace's rules. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const entries = db.collection('consentEntries')
  await entries.createIndex({ workspaceId: 1, key: 1 }, { unique: true, name: 'key' })
  await entries.createIndex({ workspaceId: 1, contactId: 1, at: -1, _id: -1 }, { name: 'contact' })
  await entries.createIndex({ workspaceId: 1, recordedAt: 1, _id: 1 }, { name: 'recorded' })
  await db
    .collection('suppressions')
    .createIndex({ workspaceId: 1, addressHash: 1, category: 1 }, { unique: true, name: 'address' })
  await db.collection('consentSettings').createIndex({ workspaceId: 1 }, { unique: true, name: 'workspace' })
}
