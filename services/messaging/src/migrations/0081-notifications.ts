import type { Connection } from 'mongoose'

const daySeconds = 86_400

/** What members are told of: once for each thing that happens, for 90 days. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const notifications = db.collection('notifications')
  await notifications.createIndex({ workspaceId: 1, at: -1, _id: -1 }, { name: 'recent' })
  await notifications.createIndex({ workspaceId: 1, key: 1 }, { unique: true, name: 'key' })
  await notifications.createIndex({ at: 1 }, { expireAfterSeconds: 90 * daySeconds, name: 'expiry' })
  await notifications.createIndex(
    { workspaceId: 1, sample: 1 },
    { partialFilterExpression: { sample: true }, name: 'sample' },
  )
}
