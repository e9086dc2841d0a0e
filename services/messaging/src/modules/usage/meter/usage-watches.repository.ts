import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type UsageWatchRecord, usageWatchSchema, watched } from './usage.model.ts'

export type UsageWatchesRepository = ReturnType<typeof createUsageWatchesRepository>

const maxDue = 500

/** Stores, for each workspace, whether a worker has to check what is used of its plan. */
export function createUsageWatchesRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'usageWatches', schema: usageWatchSchema }
  const watches = workspaceCollection<UsageWatchRecord>(definition)
  const due = scopedCollection<object, UsageWatchRecord>(definition, () => ({ watch: watched }))

  return {
    /** Makes it due from now on: two at once write the same record, so one of them is repeated. */
    noteChange: async (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>): Promise<void> => {
      await watches(scope).updateOne(
        {},
        { $set: { watch: watched, dueAt: new Date() }, $inc: { changes: 1 } },
        { session, upsert: true },
      )
    },
    read: (scope: WorkspaceScope) => watches(scope).findOne({}, { hint: 'workspace' }),
    due: (now: Date): PromiseLike<UsageWatchRecord[]> =>
      due({})
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due'),
    /** Marks a check as done, unless more has changed meanwhile. @param next when to check again, if nothing changes. */
    looked: async (
      scope: WorkspaceScope,
      { changes, next, announced }: Pick<UsageWatchRecord, 'changes' | 'announced'> & { next: Date | undefined },
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => {
      const kept = { ...(next && { dueAt: next }), ...(announced !== undefined && { announced }) }
      await watches(scope).updateOne(
        { changes },
        { $set: kept, ...(!next && { $unset: { dueAt: 1, watch: 1 } }) },
        { session },
      )
    },
  }
}
