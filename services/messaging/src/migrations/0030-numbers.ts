import type { Connection } from 'mongoose'

const existing = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/**
 * A removed number stays as a record, so that its conversations stay readable, and can be connected anew, elsewhere too: what
 * is unique is a number that is connected. Beside it what changes all the time of a number, and what it has sent.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const numbers = db.collection('numbers')
  await numbers.updateMany({ connected: { $exists: false }, removedAt: { $exists: false } }, [
    { $set: { connected: '$phoneNumberId' } },
  ])
  await numbers.createIndex({ connected: 1 }, { unique: true, ...existing('connected'), name: 'connected' })
  await numbers.createIndex({ businessAccountId: 1 }, { ...existing('connected'), name: 'account' })
  await numbers.createIndex({ workspaceId: 1, phoneNumberId: 1 }, { unique: true, name: 'own' })
  const old = await numbers.indexes()
  if (old.some(({ name }) => name === 'phone-number-id')) await numbers.dropIndex('phone-number-id')

  const activity = db.collection('numberActivity')
  await activity.createIndex({ workspaceId: 1, numberId: 1 }, { unique: true, name: 'number' })
  await activity.createIndex({ watch: 1, nextCheckAt: 1 }, { name: 'due' })

  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, numberId: 1, sentAt: 1 },
      { partialFilterExpression: { direction: 'outbound' }, name: 'sent-by-number' },
    )
}
