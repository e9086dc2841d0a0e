import type { Connection } from 'mongoose'

/** What WhatsApp has told of an account, the newest of each kind. Nothing has read them by kind alone. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const events = db.collection('accountEvents')
  await events.createIndex({ workspaceId: 1, accountId: 1, field: 1, at: -1 }, { name: 'account' })
  const old = await events.indexes()
  if (old.some(({ name }) => name === 'field')) await events.dropIndex('field')
}
