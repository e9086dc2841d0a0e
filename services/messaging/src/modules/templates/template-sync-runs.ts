import type { TemplateSyncRun } from '@parley/contracts/templates/template-endpoints'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type TemplateSyncRunRecord, templateSyncRunSchema } from './template-sync-runs.model.ts'

export type TemplateSyncRuns = ReturnType<typeof createTemplateSyncRuns>

/** Comparisons that have ended. They go after 90 days. */
export function createTemplateSyncRuns(connection: ServiceConnection, cursors: PageCursors) {
  const runs = workspaceCollection<TemplateSyncRunRecord>({
    connection,
    name: 'templateSyncRuns',
    schema: templateSyncRunSchema,
  })

  return {
    add: (scope: WorkspaceScope, run: Omit<TemplateSyncRunRecord, 'id' | 'workspaceId'>) => runs(scope).create(run),

    /** The last one of an account. */
    latest: async (scope: WorkspaceScope, businessAccountId: string): Promise<TemplateSyncRun | undefined> => {
      const [last] = await runs(scope)
        .find({ businessAccountId })
        .sort({ startedAt: -1, _id: -1 })
        .limit(1)
        .hint('account')
      return last && toRun(last)
    },

    /** The latest first. */
    page: async (
      scope: WorkspaceScope,
      {
        accountId,
        limit,
        cursor,
      }: { accountId?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
    ) => {
      const page = await pageOf(runs(scope), {
        sort: { index: accountId === undefined ? 'latest' : 'account', field: 'startedAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: accountId === undefined ? {} : { businessAccountId: accountId },
        query: { accountId },
        limit,
        cursor,
      })
      return { ...page, items: page.items.map(toRun) }
    },
  }
}

const toRun = ({ id, businessAccountId, startedAt, endedAt, seen, changed, gone, error }: TemplateSyncRunRecord) => ({
  id,
  accountId: businessAccountId,
  seen,
  changed,
  gone,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt.toISOString(),
  ...(error && { error: { code: error.code, message: error.message } }),
})
