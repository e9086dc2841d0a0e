import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Conversations that bots have taken over, as they are counted and shown. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const takeOvers = db.collection('takeOvers')
  await takeOvers.createIndex(
    { workspaceId: 1, conversationId: 1 },
    { name: 'latest', unique: true, ...exists('latest') },
  )
  await takeOvers.createIndex({ workspaceId: 1, since: -1, _id: -1 }, { name: 'since' })
  await takeOvers.createIndex({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...exists('contactId') })
}
