import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Finds the messages with a file above the text of their template, which may have another one by then. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'content.header.mediaId': 1, conversationId: 1 },
      { name: 'header-file', ...whereExists('content.header.mediaId') },
    )
}
