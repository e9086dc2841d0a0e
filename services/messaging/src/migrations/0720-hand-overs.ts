import type { Connection } from 'mongoose'

/** Finds what bots have handed over and nobody has taken in time. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const handOvers = db.collection('handOvers')
  await handOvers.createIndex({ workspaceId: 1, conversationId: 1 }, { name: 'conversation', unique: true })
  await handOvers.createIndex(
    { watch: 1, dueAt: 1 },
    { name: 'due', partialFilterExpression: { watch: { $exists: true } } },
  )
}
