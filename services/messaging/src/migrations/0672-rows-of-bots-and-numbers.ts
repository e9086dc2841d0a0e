import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Lists the take-overs of one bot or number, and those that were resolved, and the waits at one number. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const takeOvers = db.collection('takeOvers')
  const order = { since: -1, _id: -1 } as const
  const resolved = whereExists('resolved')
  await takeOvers.createIndex({ workspaceId: 1, botId: 1, ...order }, { name: 'of-bot' })
  await takeOvers.createIndex({ workspaceId: 1, numberId: 1, ...order }, { name: 'of-number' })
  await takeOvers.createIndex({ workspaceId: 1, ...order }, { name: 'resolved', ...resolved })
  await takeOvers.createIndex({ workspaceId: 1, botId: 1, ...order }, { name: 'resolved-of-bot', ...resolved })
  await takeOvers.createIndex({ workspaceId: 1, numberId: 1, ...order }, { name: 'resolved-of-number', ...resolved })
  await db.collection('answers').createIndex({ workspaceId: 1, numberId: 1, ...order }, { name: 'of-number' })
}
