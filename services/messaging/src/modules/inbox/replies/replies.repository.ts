import type { ReplyFile } from '@parley/contracts/inbox/replies'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type ReplyRecord, replySchema } from './replies.model.ts'

export type RepliesRepository = ReturnType<typeof createRepliesRepository>

/** A reply as it is stored; a file of `null` is taken away. */
interface Fields {
  readonly shortcut: string
  readonly text: string
  readonly file?: ReplyFile | null | undefined
}

const byShortcut: ListSort<ReplyRecord> = { index: 'list', field: 'shortcut', direction: 1 }

export function createRepliesRepository(connection: ServiceConnection) {
  const replies = workspaceCollection<ReplyRecord>({ connection, name: 'savedReplies', schema: replySchema })
  return {
    create: (scope: WorkspaceScope, { file, ...reply }: Fields) =>
      replies(scope).create({ ...reply, ...(file && { file }) }),
    read: (scope: WorkspaceScope, id: string) => replies(scope).findOne({ _id: id }),
    update: (
      scope: WorkspaceScope,
      {
        fields: { file, ...rest },
        ...change
      }: {
        id: string
        version: number
        fields: Partial<Fields>
        toAnswer: (record: ReplyRecord) => unknown
      },
    ) =>
      updateVersion(replies(scope), {
        ...change,
        update: { $set: { ...rest, ...(file && { file }) }, ...(file === null && { $unset: { file: 1 } }) },
      }),
    remove: async (scope: WorkspaceScope, id: string) => (await replies(scope).deleteOne({ _id: id })).deletedCount > 0,
    /** @param found part of the shortcut or of the text, as a pattern. */
    page: (
      scope: WorkspaceScope,
      {
        found,
        ...page
      }: { found: RegExp | undefined; cursors: PageCursors; limit?: number | undefined; cursor?: string | undefined },
    ) =>
      pageOf(replies(scope), {
        ...page,
        sort: byShortcut,
        workspaceId: scope.workspaceId,
        filter: found ? { $or: [{ shortcut: { $regex: found } }, { text: { $regex: found } }] } : {},
        query: { found: found?.source },
      }),
  }
}
