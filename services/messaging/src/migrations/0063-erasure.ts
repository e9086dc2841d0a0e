import { createAnswerIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

/** Finds what a workspace has of one person: who else has a file, what WhatsApp has told, and kept answers. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('messages')
    .createIndex(
      { workspaceId: 1, 'content.mediaId': 1 },
      { partialFilterExpression: { 'content.mediaId': { $exists: true } }, name: 'media' },
    )
  // Messages and statuses have an index already; what is about neither is rare.
  await db
    .collection('rawEvents')
    .createIndex({ workspaceId: 1, kind: 1 }, { partialFilterExpression: { kind: 'other' }, name: 'other' })
  await createAnswerIndex(db)
}
