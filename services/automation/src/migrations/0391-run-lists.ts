import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Makes the indexes of lists by outcome, and of runs that live: among very many runs, few have failed or live. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('runs').createIndexes([
    { name: 'outcome', key: { workspaceId: 1, flowId: 1, outcome: 1, createdAt: -1, _id: -1 }, ...exists('outcome') },
    { name: 'newest-live', key: { workspaceId: 1, flowId: 1, live: 1, createdAt: -1, _id: -1 }, ...exists('live') },
  ])
}
