import type { Connection } from 'mongoose'

/** Indexes of the questions for a rating, and of the setting that has them asked. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db.collection('ratingSettings').createIndex({ workspaceId: 1 }, { name: 'workspace', unique: true })
  const ratings = db.collection('ratings')
  await ratings.createIndex({ workspaceId: 1, contactId: 1, askedAt: -1 }, { name: 'contact' })
  await ratings.createIndex({ workspaceId: 1, conversationId: 1, ratedAt: -1 }, { name: 'conversation' })
  await ratings.createIndex(
    { workspaceId: 1, by: 1, ratedAt: -1, _id: -1, score: 1 },
    { name: 'member', partialFilterExpression: { ratedAt: { $exists: true } } },
  )
  await ratings.createIndex(
    { workspaceId: 1, ratedAt: 1, by: 1, score: 1 },
    { name: 'rated', partialFilterExpression: { ratedAt: { $exists: true } } },
  )
}
