import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

const dayMs = 86_400_000

/** Lists the answers of one member that count: those within 24 hours, where no bot had answered before. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const answers = db.collection('answers')
  await answers.updateMany(
    {
      answeredAt: { $exists: true },
      closedAt: { $exists: false },
      handedOver: { $exists: false },
      $expr: { $lte: [{ $subtract: ['$answeredAt', '$since'] }, dayMs] },
    },
    { $set: { inTime: true } },
  )
  const key = { workspaceId: 1, 'by.id': 1, since: -1, _id: -1 } as const
  await answers.createIndex(key, { name: 'in-time-by-author', ...whereExists('inTime') })
}
