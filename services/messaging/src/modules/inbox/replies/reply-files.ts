import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ReplyRecord, replySchema } from './replies.model.ts'

/** Finds whether a saved reply carries a file; such a file is kept. */
export function createReplyFiles(connection: ServiceConnection) {
  const replies = workspaceCollection<ReplyRecord>({ connection, name: 'savedReplies', schema: replySchema })
  return async (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
    (await replies(scope).countDocuments({ 'file.mediaId': mediaId }, { hint: 'file', limit: 1 })) > 0
}
