import type { Connection } from 'mongoose'

/** Lists macros by name. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('macros').createIndex({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })
}
