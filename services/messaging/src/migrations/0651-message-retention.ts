import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Indexes of the setting for how long messages are kept. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const retention = db.collection('messageRetention')
  await retention.createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  await retention.createIndex({ watch: 1, dueAt: 1 }, { name: 'due', ...whereExists('watch') })
}
