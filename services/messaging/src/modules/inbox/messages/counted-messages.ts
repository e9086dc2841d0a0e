import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type MessageRecord, messagesIn, storedId } from './messages.model.ts'

/** Messages of a quarter of an hour that count alike. */
export interface MessageGroup {
  readonly numberId: string
  readonly at: Date
  readonly direction: MessageRecord['direction']
  readonly status: MessageRecord['status'] | null
  /** The member or bot who has sent them. */
  readonly cause: MessageRecord['cause'] | null
  readonly count: number
}
interface Period {
  readonly from: Date
  /** The first moment after it. */
  readonly to: Date
}

interface RowsOf extends Period {
  readonly of: 'sent' | 'received' | 'total'
  /** Selects what one member has written; else what numbers have. */
  readonly memberId?: string | undefined
  readonly numberIds?: readonly string[]
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Filters of messages that are counted as such, as `levelsOf` counts them. */
const rowFilters = {
  sent: { direction: 'outbound', status: { $in: ['sent', 'delivered', 'read'] } },
  received: { direction: 'inbound', 'content.type': { $ne: 'system' } },
} as const

const quarterMinutes = 15
const counted = { sample: { $ne: true } }

/** Reads messages by time, for figures and for the rows behind them. */
export function createCountedMessages(connection: ServiceConnection, cursors?: PageCursors) {
  const messages = messagesIn(connection)
  return {
    /** Numbers that any message is of, also those that were removed. */
    numberIds: async (scope: WorkspaceScope): Promise<string[]> =>
      (
        await messages(scope).aggregate<{ numberId: string }>(
          [{ $group: { _id: '$numberId' } }, { $project: { _id: 0, numberId: '$_id' } }],
          { hint: 'by-number' },
        )
      ).map(({ numberId }) => numberId),
    /** Reads a page of the messages behind a figure, newest first. */
    page: (scope: WorkspaceScope, { of, from, to, memberId, numberIds, ...page }: RowsOf) => {
      if (!cursors) throw new Error('pages need cursors')
      const isMembers = memberId !== undefined
      const origin = isMembers
        ? { 'cause.kind': 'member', 'cause.id': memberId }
        : { numberId: { $in: numberIds ?? [] } }
      const kinds = of === 'total' ? [rowFilters.sent, rowFilters.received] : [rowFilters[of]]
      const filter = { ...origin, sentAt: { $gte: from, $lt: to }, $or: kinds } as Filter<MessageRecord>
      return pageOf(messages(scope), {
        sort: { index: isMembers ? 'by-member' : 'by-number', field: 'sentAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter,
        query: [of, from, to, memberId ?? numberIds],
        // The counters know it.
        count: async () => ({ total: 0 }),
        ...page,
      })
    },
    /** Counts the messages of a period, those of the sample data excluded. */
    groups: (
      scope: WorkspaceScope,
      { numberIds, from, to }: Period & { numberIds: readonly string[] },
      { session }: Pick<Tx, 'session'>,
    ): Promise<MessageGroup[]> => {
      const isActor = { $in: ['$cause.kind', ['member', 'bot']] }
      const by = {
        numberId: '$numberId',
        at: { $dateTrunc: { date: '$sentAt', unit: 'minute', binSize: quarterMinutes } },
        direction: '$direction',
        status: { $ifNull: ['$status', null] },
        cause: { $cond: [isActor, { kind: '$cause.kind', id: '$cause.id' }, null] },
      }
      const found = { numberId: { $in: numberIds.map(storedId) }, sentAt: { $gte: from, $lt: to } }
      // System messages, which WhatsApp reports in a customer's name, were not written by the customer.
      const isWritten = { $nor: [{ direction: 'note' }, { direction: 'inbound', 'content.type': 'system' }] }
      return messages(scope).aggregate<MessageGroup>(
        [
          { $match: { ...found, ...counted, ...isWritten } },
          { $group: { _id: by, count: { $sum: 1 } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$_id', { count: '$count' }] } } },
        ],
        { hint: 'by-number', session },
      )
    },
  }
}
