import type { Connection } from 'mongoose'

const exists = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })

/** Makes the collection of workflows, which transactions find made, and the indexes by which their runs are enrolled. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('workflows').createIndexes([
    { name: 'name', key: { workspaceId: 1, deletedAt: 1, nameKey: 1, _id: 1 } },
    { name: 'removal', key: { removal: 1, deletedAt: 1 }, ...exists('removal') },
    { name: 'sample', key: { workspaceId: 1, sample: 1 }, ...exists('sample') },
  ])
  await db.collection('runs').createIndexes([
    { name: 'slot', key: { workspaceId: 1, flowId: 1, contactId: 1, slot: 1 }, unique: true, ...exists('slot') },
    { name: 'slots', key: { workspaceId: 1, contactId: 1, slot: 1 }, ...exists('slot') },
    { name: 'enrolled', key: { workspaceId: 1, flowId: 1, contactId: 1, createdAt: -1 } },
  ])
}
