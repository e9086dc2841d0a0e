import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Makes the collection of counts, which transactions find made, and the indexes by which steps and ended runs are counted and runs of a node are found. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('runCounts').createIndexes([
    {
      name: 'visits',
      key: { workspaceId: 1, flowId: 1, day: 1, number: 1, nodeId: 1, what: 1 },
      unique: true,
    },
    { name: 'kept', key: { day: 1 }, expireAfterSeconds: 400 * 86_400 },
  ])
  await db
    .collection('steps')
    .createIndexes([{ name: 'uncounted', key: { uncounted: 1, _id: 1 }, ...exists('uncounted') }])
  await db.collection('runs').createIndexes([
    { name: 'uncounted', key: { uncounted: 1, _id: 1 }, ...exists('uncounted') },
    { name: 'path', key: { workspaceId: 1, flowId: 1, path: 1, createdAt: -1, _id: -1 }, ...exists('path') },
  ])
}
