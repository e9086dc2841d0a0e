import { leftOutReasons, type Outcome } from '@parley/contracts/campaigns/campaign-recipients'
import type { PageOf } from '@parley/contracts/core/records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type RecipientRecord, type RecipientState, recipientsIn } from './recipients.model.ts'

export interface Which {
  readonly outcome?: Outcome | undefined
  readonly code?: number | undefined
}
interface RowQuery extends Which {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly q?: string | undefined
  /** Limits rows to these contacts, who are few. */
  readonly contactIds?: readonly string[] | undefined
  readonly kept: () => Promise<number>
}
export type RecipientListsRepository = ReturnType<typeof createRecipientListsRepository>

/** Rows of a campaign as people look through them. */
export function createRecipientListsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const recipients = recipientsIn(connection)

  return {
    /** The rows of some contacts in some campaigns, each of which has a contact once. */
    ofContacts: (
      scope: WorkspaceScope,
      campaignIds: readonly string[],
      contactIds: readonly string[],
    ): PromiseLike<RecipientRecord[]> =>
      recipients(scope)
        .find({ campaignId: { $in: campaignIds }, contactId: { $in: contactIds } })
        .hint('contact'),
    page: (scope: WorkspaceScope, campaignId: string, query: RowQuery): Promise<PageOf<RecipientRecord>> => {
      const { outcome, code, contactIds, q, limit, cursor, kept } = query
      const { index, filter } = rowsBehind({ outcome, code })
      return pageOf(recipients(scope), {
        sort: { index, field: '_id', direction: 1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: { campaignId, ...filter, ...(contactIds && { contactId: { $in: contactIds } }) },
        query: { campaignId, outcome, code, q },
        limit,
        cursor,
        kept,
        ...(contactIds && { index: 'contact' }),
      })
    },
  }
}

export const inStates = (...states: RecipientState[]) => ({ index: 'by-state', filter: { state: { $in: states } } })
const leftOut = (...reasons: string[]) => ({
  index: 'by-reason',
  filter: { state: 'skipped' as const, reason: { $in: reasons } },
})
/** Reasons that have a figure of their own. */
const named = ['excluded', 'opted_out', 'no_opt_in', 'country_restricted', 'recently_messaged', 'blocked'] as const

const behind = {
  queued: inStates('pending', 'queued'),
  sent: inStates('sent', 'delivered', 'read'),
  delivered: inStates('delivered', 'read'),
  read: inStates('read'),
  failed: inStates('failed'),
  uncertain: inStates('uncertain'),
  clicked: { index: 'clicked', filter: { clicked: true as const } },
  replied: { index: 'replied', filter: { replied: true as const } },
  excluded: leftOut('excluded'),
  opted_out: leftOut('opted_out'),
  no_opt_in: leftOut('no_opt_in'),
  country_restricted: leftOut('country_restricted'),
  recently_messaged: leftOut('recently_messaged'),
  blocked: leftOut('blocked'),
  unreachable: leftOut(...leftOutReasons.filter((reason) => !named.some((namedReason) => namedReason === reason))),
} satisfies Record<Outcome, object>

/** The rows that a figure counts, and the index that has them in their order. */
export function rowsBehind({ outcome, code }: Which) {
  if (code !== undefined)
    return { index: 'by-reason', filter: { state: 'failed' as const, reason: { $in: [String(code)] } } }
  return outcome === undefined ? { index: 'rows', filter: {} } : behind[outcome]
}
