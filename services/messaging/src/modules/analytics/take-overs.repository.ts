import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Period } from './answers.repository.ts'
import { type TakeOverRecord, takeOverSchema } from './take-overs.model.ts'

type Session = Pick<Tx, 'session'>
interface RowsOf extends Period {
  readonly numberId?: string | undefined
  readonly botId?: string | undefined
  /** Only what bots have resolved. */
  readonly resolved: boolean
  readonly limit: number
  readonly cursor?: string | undefined
}
export type NewTakeOver = Omit<TakeOverRecord, 'workspaceId'>
export type TakeOversRepository = ReturnType<typeof createTakeOversRepository>

/** Returns the index in which the rows of a question follow one another. */
function indexOf({ numberId, botId, resolved }: Pick<RowsOf, 'numberId' | 'botId' | 'resolved'>): string {
  if (botId) return resolved ? 'resolved-of-bot' : 'of-bot'
  if (numberId) return resolved ? 'resolved-of-number' : 'of-number'
  return resolved ? 'resolved' : 'since'
}

export function createTakeOversRepository(connection: ServiceConnection, cursors?: PageCursors) {
  const takeOvers = workspaceCollection<TakeOverRecord>({ connection, name: 'takeOvers', schema: takeOverSchema })
  return {
    latestIn: (scope: WorkspaceScope, conversationIds: readonly string[], { session }: Session) =>
      takeOvers(scope)
        .find({ latest: true, conversationId: { $in: conversationIds } })
        .hint('latest')
        .session(session),
    /** Writes those that are new or have changed, in this order: what is not the latest any more before what is. */
    store: async (scope: WorkspaceScope, stored: readonly NewTakeOver[], { session }: Session): Promise<void> => {
      if (stored.length === 0) return
      const writes = stored.map(({ id, latest, resolved, ...fields }) => ({
        updateOne: {
          filter: { _id: id },
          update: {
            $set: { ...omitUndefined(fields), ...(latest && { latest }), ...(resolved && { resolved }) },
            ...((!latest || !resolved) && {
              $unset: { ...(!latest && { latest: 1 }), ...(!resolved && { resolved: 1 }) },
            }),
          },
          upsert: true,
        },
      }))
      await takeOvers(scope).bulkWrite(writes, { session, ordered: true })
    },
    /** Leaves the times, which are figures, and takes out whom they are of. */
    forget: async (scope: WorkspaceScope, contactId: string, { session }: Session): Promise<void> => {
      await takeOvers(scope).updateMany(
        { contactId },
        { $unset: { contactId: 1, conversationId: 1, latest: 1 } },
        { session },
      )
    },
    /** Reads a page of them, newest first. */
    page: (scope: WorkspaceScope, { from, to, numberId, botId, resolved, ...page }: RowsOf) => {
      if (!cursors) throw new Error('pages need cursors')
      const filter = {
        since: { $gte: from, $lt: to },
        ...(numberId && { numberId }),
        ...(botId && { botId }),
        ...(resolved && { resolved: true as const }),
      }
      return pageOf(takeOvers(scope), {
        sort: { index: indexOf({ numberId, botId, resolved }), field: 'since', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: filter as Filter<TakeOverRecord>,
        query: [from, to, numberId, botId, resolved],
        // The counters know it.
        count: async () => ({ total: 0 }),
        ...page,
      })
    },
    between: (scope: WorkspaceScope, { from, to }: Period, { session }: Session): AsyncIterable<TakeOverRecord> =>
      takeOvers(scope)
        .find({ since: { $gte: from, $lt: to } })
        .hint('since')
        .session(session),
  }
}
