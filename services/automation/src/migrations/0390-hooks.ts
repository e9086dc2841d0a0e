import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Makes the collections of addresses of workflows and of their calls, which transactions find made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('hooks').createIndexes([
    { name: 'node', key: { workspaceId: 1, flowId: 1, nodeId: 1 }, unique: true },
    { name: 'token', key: { tokenHash: 1 }, unique: true },
  ])
  await db.collection('hookCalls').createIndexes([
    { name: 'key', key: { workspaceId: 1, flowId: 1, nodeId: 1, key: 1 }, unique: true, ...exists('key') },
    { name: 'newest', key: { workspaceId: 1, flowId: 1, nodeId: 1, at: -1, _id: -1 } },
    { name: 'contact', key: { workspaceId: 1, contactId: 1 }, ...exists('contactId') },
    { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ])
}
