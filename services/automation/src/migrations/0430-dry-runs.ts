import type { Connection } from 'mongoose'

const ofDryRuns = { 'input.dryRunOf': { $exists: true } }

/** Makes the index by which dry runs of a workflow are listed, and the one that lets one of them be at work at a time. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('jobs').createIndexes([
    {
      name: 'dry-runs',
      key: { workspaceId: 1, 'input.dryRunOf': 1, _id: -1 },
      partialFilterExpression: ofDryRuns,
    },
    {
      name: 'dry-runs-at-work',
      key: { workspaceId: 1, 'input.dryRunOf': 1 },
      unique: true,
      partialFilterExpression: { ...ofDryRuns, leaseEndsAt: { $exists: true } },
    },
  ])
}
