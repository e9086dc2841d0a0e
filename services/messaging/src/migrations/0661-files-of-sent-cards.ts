import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Finds the messages with a file on a card, and the campaigns that send a file: their templates may have another one by then. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'content.cards.header.mediaId': 1, conversationId: 1 },
      { name: 'card-file', ...whereExists('content.cards.header.mediaId') },
    )
  for (const [name, path] of [
    ['file', 'template.headerMedia.file.mediaId'],
    ['card-file', 'template.cards.headerMedia.file.mediaId'],
  ] as const)
    await db.collection('campaigns').createIndex({ workspaceId: 1, [path]: 1 }, { name, ...whereExists(path) })
}
