import type { Connection } from 'mongoose'

/** Makes the collections of schedules and of their starts, which transactions find made. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('schedules').createIndexes([
    { name: 'node', key: { workspaceId: 1, flowId: 1, nodeId: 1 }, unique: true },
    { name: 'due', key: { watch: 1, nextAt: 1 }, partialFilterExpression: { watch: { $exists: true } } },
  ])
  await db.collection('scheduledStarts').createIndexes([
    { name: 'slot', key: { workspaceId: 1, flowId: 1, nodeId: 1, slot: 1 }, unique: true },
    { name: 'kept', key: { at: 1 }, expireAfterSeconds: 90 * 86_400 },
  ])
}
