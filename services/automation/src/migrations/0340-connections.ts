import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Makes the collections of connections to other systems and of calls, which transactions find made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('connections').createIndex({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })
  await db
    .collection('hostStates')
    .createIndex({ workspaceId: 1, connectionId: 1 }, { name: 'connection', unique: true })
  await db.collection('calls').createIndexes([
    { name: 'key', key: { workspaceId: 1, key: 1 }, unique: true },
    { name: 'of-connection', key: { workspaceId: 1, connectionId: 1, open: 1, dueAt: 1 }, ...exists('open') },
    { name: 'run', key: { workspaceId: 1, 'run.runId': 1 }, ...exists('run') },
    { name: 'due', key: { open: 1, dueAt: 1 }, ...exists('open') },
    { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ])
}
