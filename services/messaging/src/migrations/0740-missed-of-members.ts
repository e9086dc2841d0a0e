import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Lists the answers of one member that came after their target. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const key = { workspaceId: 1, 'by.id': 1, since: -1, _id: -1 } as const
  await db.collection('answers').createIndex(key, { name: 'late-by-author', ...whereExists('late') })
}
