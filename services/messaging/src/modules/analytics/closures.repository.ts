import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Period } from './answers.repository.ts'
import { type ClosureRecord, closureSchema } from './closures.model.ts'

type Session = Pick<Tx, 'session'>
interface RowsOf extends Period {
  /** Id of the member or bot who closed them. */
  readonly by: string
  readonly limit: number
  readonly cursor?: string | undefined
}
export type NewClosure = Omit<ClosureRecord, 'id' | 'workspaceId'>
export type ClosuresRepository = ReturnType<typeof createClosuresRepository>

export function createClosuresRepository(connection: ServiceConnection, cursors?: PageCursors) {
  const closures = workspaceCollection<ClosureRecord>({ connection, name: 'closures', schema: closureSchema })
  return {
    add: async (scope: WorkspaceScope, added: readonly NewClosure[], { session }: Session): Promise<void> => {
      if (added.length > 0) await closures(scope).insertMany(added, { session })
    },
    /** Leaves the times, which are figures, and takes out whom they are of. */
    forget: async (scope: WorkspaceScope, contactId: string, { session }: Session): Promise<void> => {
      await closures(scope).updateMany({ contactId }, { $unset: { contactId: 1, conversationId: 1 } }, { session })
    },
    /** Reads a page of those of one member or bot, newest first. */
    page: (scope: WorkspaceScope, { from, to, by, ...page }: RowsOf) => {
      if (!cursors) throw new Error('pages need cursors')
      return pageOf(closures(scope), {
        sort: { index: 'by-author', field: 'closedAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: { closedAt: { $gte: from, $lt: to }, 'by.id': by } as Filter<ClosureRecord>,
        query: [from, to, by],
        // The counters know it.
        count: async () => ({ total: 0 }),
        ...page,
      })
    },
    between: (scope: WorkspaceScope, { from, to }: Period, { session }: Session): AsyncIterable<ClosureRecord> =>
      closures(scope)
        .find({ closedAt: { $gte: from, $lt: to } })
        .hint('closed-at')
        .session(session),
  }
}
