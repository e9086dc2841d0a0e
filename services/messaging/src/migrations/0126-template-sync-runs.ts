import type { Connection } from 'mongoose'

const day = 86_400

/** Comparisons of accounts' templates with those at WhatsApp, for 90 days; single templates that are to be read from there. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const runs = db.collection('templateSyncRuns')
  await runs.createIndex({ workspaceId: 1, startedAt: -1, _id: -1 }, { name: 'latest' })
  await runs.createIndex({ workspaceId: 1, businessAccountId: 1, startedAt: -1, _id: -1 }, { name: 'account' })
  await runs.createIndex({ startedAt: 1 }, { expireAfterSeconds: 90 * day, name: 'kept' })

  const reads = db.collection('templateReads')
  await reads.createIndex({ workspaceId: 1, waTemplateId: 1 }, { unique: true, name: 'template' })
  await reads.createIndex({ watch: 1, nextAt: 1 }, { name: 'due' })
}
