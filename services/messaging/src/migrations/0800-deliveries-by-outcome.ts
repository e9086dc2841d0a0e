import type { Connection } from 'mongoose'

/** Finds the deliveries of a webhook that have some states or types, newest first, without reading the others. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('webhookDeliveries')
    .createIndex({ workspaceId: 1, webhookId: 1, state: 1, type: 1, at: -1, _id: -1 }, { name: 'outcomes' })
}
