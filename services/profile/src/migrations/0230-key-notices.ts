import { keyNoticeDays } from '@parley/contracts/account/api-keys'
import type { Connection } from 'mongoose'

const dayMs = 86_400_000

/** Times of the notices that a key will end: for keys that are there, the notices that are still to come. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const keys = db.collection('apiKeys')
  await keys.createIndex(
    { pending: 1, noticeAt: 1 },
    { name: 'notices', partialFilterExpression: { pending: { $exists: true } } },
  )
  const now = new Date()
  // The shortest notice first: a longer one that is still to come replaces it.
  for (const days of [...keyNoticeDays].sort((a, b) => a - b))
    await keys.updateMany(
      { revokedAt: null, replacedBy: null, expiresAt: { $gt: new Date(now.getTime() + days * dayMs) } },
      [{ $set: { pending: 'notice', noticeAt: { $subtract: ['$expiresAt', days * dayMs] } } }],
    )
}
