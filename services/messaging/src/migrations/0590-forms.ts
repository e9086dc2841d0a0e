import type { Connection } from 'mongoose'

/** Lists forms by name, and finds them by their id at WhatsApp. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const forms = db.collection('forms')
  await forms.createIndex({ workspaceId: 1, waFlowId: 1 }, { name: 'form', unique: true })
  await forms.createIndex({ workspaceId: 1, name: 1 }, { name: 'name' })
}
