import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Conversations that members and bots have closed, as they are counted and shown. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const closures = db.collection('closures')
  const order = { closedAt: -1, _id: -1 } as const
  await closures.createIndex({ workspaceId: 1, ...order }, { name: 'closed-at' })
  await closures.createIndex({ workspaceId: 1, 'by.id': 1, ...order }, { name: 'by-author' })
  await closures.createIndex({ workspaceId: 1, contactId: 1 }, { name: 'contact', ...whereExists('contactId') })
}
