import type { Connection } from 'mongoose'

/** Fields that a workspace defines for its contacts. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const attributes = db.collection('contactAttributes')
  await attributes.createIndex({ workspaceId: 1, labelKey: 1 }, { unique: true, name: 'label' })
  await attributes.createIndex({ workspaceId: 1, nameKey: 1 }, { unique: true, name: 'name' })
}
