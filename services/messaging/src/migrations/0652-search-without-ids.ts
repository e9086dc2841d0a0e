import type { Connection } from 'mongoose'
import { dropOldSearchIndex } from '../modules/inbox/search/old-search-index.ts'

/** A smaller index of messages' words. The one before goes later, once no older process asks for it; at once where nothing is stored. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const search = db.collection('messageSearch')
  await search.createIndex({ workspaceId: 1, words: 1, at: -1 }, { name: 'word-times' })
  if ((await search.findOne({}, { projection: { _id: 1 } })) === null) await dropOldSearchIndex(db)
}
