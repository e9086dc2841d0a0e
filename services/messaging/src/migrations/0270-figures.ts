import type { Connection } from 'mongoose'

const where = (partialFilterExpression: object) => ({ partialFilterExpression })
const exists = (field: string) => where({ [field]: { $exists: true } })
const sample = { name: 'sample', ...where({ sample: true }) }

/** Finds counters by day, waiting customers, and messages of both directions by time. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const rollups = db.collection('rollups')
  await rollups.createIndex({ workspaceId: 1, scope: 1, day: 1, part: 1 }, { name: 'day', unique: true })
  await rollups.createIndex({ workspaceId: 1, day: 1 }, { name: 'of-day' })
  await rollups.createIndex({ workspaceId: 1, sample: 1 }, sample)
  const answers = db.collection('answers')
  await answers.createIndex({ workspaceId: 1, conversationId: 1 }, { name: 'open', unique: true, ...exists('open') })
  await answers.createIndex({ workspaceId: 1, since: 1 }, { name: 'waiting', ...exists('open') })
  await answers.createIndex({ workspaceId: 1, since: -1, _id: -1 }, { name: 'since' })
  await answers.createIndex({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...exists('contactId') })
  const figures = db.collection('figures')
  await figures.createIndex({ workspaceId: 1, sample: -1 }, { name: 'workspace', unique: true })
  await figures.createIndex({ workspaceId: 1, sample: 1 }, sample)
  await figures.createIndex({ watch: 1, dueAt: 1 }, { name: 'due', ...exists('watch') })
  const snapshots = db.collection('snapshots')
  await snapshots.createIndex({ workspaceId: 1, day: 1, sample: 1 }, { name: 'day', unique: true })
  await snapshots.createIndex({ workspaceId: 1, sample: 1 }, sample)
  await db
    .collection('messages')
    .createIndex({ workspaceId: 1, numberId: 1, sentAt: -1, _id: -1 }, { name: 'by-number' })
}
