import type { Connection } from 'mongoose'

/** Finds webhooks, and the deliveries of each by event, by turn and for the log. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const where = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
  const webhooks = db.collection('webhooks')
  await webhooks.createIndex({ workspaceId: 1, url: 1 }, { name: 'url', unique: true })
  await webhooks.createIndex({ workspaceId: 1, createdAt: 1, _id: 1 }, { name: 'list' })
  await webhooks.createIndex({ status: 1, dueAt: 1 }, { name: 'due', ...where('dueAt') })
  await webhooks.createIndex(
    { workspaceId: 1, sample: 1 },
    { name: 'sample', partialFilterExpression: { sample: true } },
  )
  const deliveries = db.collection('webhookDeliveries')
  await deliveries.createIndex(
    { workspaceId: 1, webhookId: 1, seq: 1, n: 1 },
    { name: 'event', unique: true, ...where('seq') },
  )
  await deliveries.createIndex(
    { workspaceId: 1, webhookId: 1, state: 1, rank: 1, nextAttemptAt: 1, seq: 1 },
    { name: 'due', ...where('nextAttemptAt') },
  )
  await deliveries.createIndex({ workspaceId: 1, webhookId: 1, at: -1, _id: -1 }, { name: 'log' })
  await deliveries.createIndex(
    { workspaceId: 1, conversationId: 1 },
    { name: 'conversation', ...where('conversationId') },
  )
  await deliveries.createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
}
