import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Indexes that no query of this release asks for. */
const unused = { conversations: ['newest', 'contact', 'assignment', 'queue'], campaignRecipients: ['states'] }

/**
 * Finds conversations that wait for a member by one index in place of two. The version before asks for the unused ones by name: they
 * are dropped where nothing is stored yet, and elsewhere by the release after this one.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('conversations')
    .createIndex(
      { 'assignment.state': 1, workspaceId: 1, 'assignment.at': 1, _id: 1 },
      { name: 'members', ...whereExists('assignment.state') },
    )
  for (const [name, indexes] of Object.entries(unused)) {
    const collection = db.collection(name)
    if ((await collection.findOne({}, { projection: { _id: 1 } })) !== null) continue
    const stored = new Set((await collection.indexes()).map((index) => index.name))
    for (const index of indexes) if (stored.has(index)) await collection.dropIndex(index)
  }
}
