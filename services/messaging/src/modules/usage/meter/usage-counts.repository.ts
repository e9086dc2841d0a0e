import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type UsageCountRecord, type UsageEntryRecord, usageCountSchema, usageEntrySchema } from './usage.model.ts'

/** Amounts sent one by one. */
export interface Sent {
  readonly messages: number
  readonly credits: number
}
export type NewUsageEntry = Omit<UsageEntryRecord, 'id'>
export type UsageCountsRepository = ReturnType<typeof createUsageCountsRepository>

export function createUsageCountsRepository(connection: ServiceConnection) {
  const entries = workspaceCollection<UsageEntryRecord>({ connection, name: 'usageEntries', schema: usageEntrySchema })
  const counts = workspaceCollection<UsageCountRecord>({ connection, name: 'usageCounts', schema: usageCountSchema })

  return {
    entriesOf: (scope: WorkspaceScope, messageIds: readonly string[], { session }: Pick<Tx, 'session'>) =>
      entries(scope)
        .find({ messageId: { $in: messageIds } })
        .hint('message')
        .session(session),
    store: async (
      scope: WorkspaceScope,
      changed: readonly NewUsageEntry[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => {
      const writes = changed.map(({ messageId, kind, from, counts }) => ({
        updateOne: {
          filter: { messageId },
          update: { $set: { counts }, $setOnInsert: { kind, from } },
          upsert: true,
        },
      }))
      await entries(scope).bulkWrite(writes, { session, ordered: false })
    },
    /** Adds differences, in the transaction that stores the entries from which they follow. */
    add: async (
      scope: WorkspaceScope,
      differences: readonly (Sent & { readonly from: Date })[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => {
      const writes = differences.map(({ from, messages, credits }) => ({
        updateOne: { filter: { from }, update: { $inc: { messages, credits } }, upsert: true },
      }))
      await counts(scope).bulkWrite(writes, { session, ordered: false })
    },
    /** Counts messages sent one by one between two moments, both quarter-hour starts: at most 4 records an hour are read. */
    between: async (scope: WorkspaceScope, { from, to }: { from: Date; to: Date }): Promise<Sent> => {
      const [sum] = await counts(scope).aggregate<Sent>(
        [
          { $match: { from: { $gte: from, $lt: to } } },
          { $group: { _id: null, messages: { $sum: '$messages' }, credits: { $sum: '$credits' } } },
        ],
        { hint: 'quarter' },
      )
      return { messages: sum?.messages ?? 0, credits: sum?.credits ?? 0 }
    },
    /** The same by the days of a zone. */
    byDay: (
      scope: WorkspaceScope,
      { from, to, zone }: { from: Date; to: Date; zone: string },
    ): Promise<(Sent & { readonly date: string })[]> => {
      const date = { $dateToString: { date: '$from', format: '%Y-%m-%d', timezone: zone } }
      return counts(scope).aggregate(
        [
          { $match: { from: { $gte: from, $lt: to } } },
          { $group: { _id: date, messages: { $sum: '$messages' }, credits: { $sum: '$credits' } } },
          { $project: { _id: 0, date: '$_id', messages: 1, credits: 1 } },
        ],
        { hint: 'quarter' },
      )
    },
  }
}
