import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import { type FeedCursorRecord, feedCursorSchema, passedWatch } from './feed-cursors.model.ts'

/** The place up to which each workspace's events have been applied. */
export function createFeedCursors(connection: ServiceConnection) {
  const definition = { connection, name: 'feedCursors', schema: feedCursorSchema }
  const cursors = workspaceCollection<FeedCursorRecord>(definition)
  const watched = scopedCollection<{ watch: string }, FeedCursorRecord>(definition, ({ watch }) => ({ watch }))
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
        await cursors(scope).updateOne(
          {},
          { $addToSet: { passed: { $each: [...passed] } }, $set: { watch: passedWatch } },
          { session },
        )
    },
    /** Forgets those that messaging knows; others were passed meanwhile. */
    forgetPassed: async (scope: WorkspaceScope, told: readonly string[]): Promise<void> => {
      await cursors(scope).updateOne({}, { $pull: { passed: { $in: [...told] } } })
      await cursors(scope).updateOne({ 'passed.0': { $exists: false } }, { $unset: { passed: 1, watch: 1 } })
    },
    /** Finds workspaces with conversations of which messaging has not been told. */
    withPassed: async (): Promise<string[]> =>
      (await watched({ watch: passedWatch }).find().limit(1000).hint('watch')).map(({ workspaceId }) => workspaceId),
  }
}
