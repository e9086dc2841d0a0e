import type { Connection } from 'mongoose'

/** One card for each day on which prices of a workspace begin. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('rateCards').createIndex({ workspaceId: 1, effectiveFrom: 1 }, { unique: true, name: 'from' })
}
