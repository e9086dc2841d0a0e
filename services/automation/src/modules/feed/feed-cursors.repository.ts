import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import { type FeedCursorRecord, feedCursorSchema } from './feed-cursors.model.ts'

/** The place up to which each workspace's events have been applied. */
export function createFeedCursors(connection: ServiceConnection) {
  const cursors = workspaceCollection<FeedCursorRecord>({ connection, name: 'feedCursors', schema: feedCursorSchema })
  const read = (scope: WorkspaceScope): PromiseLike<FeedCursorRecord | null> =>
    cursors(scope).findOne({}, { hint: 'workspace' })

  return {
    read,
    begin: (scope: WorkspaceScope, seq: number, { session }: Session): PromiseLike<FeedCursorRecord> =>
      cursors(scope).create({ seq }, { session }),
    /** Returns the place that another worker has begun at. @throws the error, where it tells of something else. */
    begunByOther: async (scope: WorkspaceScope, error: unknown): Promise<FeedCursorRecord> => {
      const other = isDuplicateKey(error) ? await read(scope) : null
      if (!other) throw error
      return other
    },
    /** @throws where another worker has applied events meanwhile. */
    move: async (scope: WorkspaceScope, { seq }: FeedCursorRecord, to: number, { session }: Session) => {
      const moved = await cursors(scope).updateOne({ seq }, { $set: { seq: to, failures: 0 } }, { session })
      if (moved.matchedCount !== 1) throw new Error('these events were applied by another worker')
    },
    /** Returns whether another worker has applied events meanwhile. */
    isMoved: async (scope: WorkspaceScope, { seq }: FeedCursorRecord): Promise<boolean> =>
      (await read(scope))?.seq !== seq,
    /** Notes how often the event after a place could not be applied. */
    noteFailure: (scope: WorkspaceScope, { seq }: FeedCursorRecord, failedSeq: number, failures: number) =>
      cursors(scope).updateOne({ seq }, { $set: { failedSeq, failures } }),
    /** Keeps conversations that no bot wanted until messaging knows. */
    keepPassed: async (scope: WorkspaceScope, passed: ReadonlySet<string>, { session }: Session): Promise<void> => {
      if (passed.size > 0)
        await cursors(scope).updateOne({}, { $addToSet: { passed: { $each: [...passed] } } }, { session })
    },
    forgetPassed: (scope: WorkspaceScope, seq: number) => cursors(scope).updateOne({ seq }, { $unset: { passed: 1 } }),
  }
}
