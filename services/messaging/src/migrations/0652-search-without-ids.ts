import type { Connection } from 'mongoose'

/**
 * A smaller index of messages' words. The version before asks for `words`, the one before it, by name: it is dropped where nothing is stored
 * yet, and elsewhere by the release after this one, to which nobody rolls back past it.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const search = db.collection('messageSearch')
  await search.createIndex({ workspaceId: 1, words: 1, at: -1 }, { name: 'word-times' })
  const isEmpty = (await search.findOne({}, { projection: { _id: 1 } })) === null
  if (isEmpty && (await search.indexes()).some(({ name }) => name === 'words')) await search.dropIndex('words')
}
