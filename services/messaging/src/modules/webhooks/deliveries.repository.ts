import { randomUUID } from 'node:crypto'
import { type WebhookEvent, webhookEvents } from '@parley/contracts/platform/public-events'
import { deliveryStates, type WebhookDelivery } from '@parley/contracts/platform/webhooks'
import type { SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type DeliveryRecord, deliverySchema } from './deliveries.model.ts'

export type DeliveriesRepository = ReturnType<typeof createDeliveriesRepository>
export type NewDelivery = Omit<DeliveryRecord, 'id' | 'workspaceId' | 'createdAt'>

/** A delivery of an event in the log. */
export type LoggedDelivery = NewDelivery & { readonly seq: number; readonly n: number }

const dayMs = 86_400_000
/** Deliveries that succeeded are kept for so long, others for 30 days. */
export const deliveredKeptMs = 7 * dayMs
export const keptMs = 30 * dayMs

const newestFirst: ListSort<DeliveryRecord> = { index: 'log', field: 'at', direction: -1 }

/** Result of one attempt, to be written to its row. */
export interface Settlement {
  readonly row: Pick<DeliveryRecord, 'id' | 'claim'>
  readonly update: Update<DeliveryRecord>
}

const keyOf = ({ webhookId, seq, n }: Pick<DeliveryRecord, 'webhookId' | 'seq' | 'n'>): string =>
  `${webhookId} ${seq} ${n}`

export function createDeliveriesRepository(connection: ServiceConnection) {
  const deliveries = workspaceCollection<DeliveryRecord>({
    connection,
    name: 'webhookDeliveries',
    schema: deliverySchema,
  })
  const noClaim = { claim: 1, leaseUntil: 1 } as const

  return {
    create: (scope: WorkspaceScope, delivery: NewDelivery & { readonly _id: string }) =>
      deliveries(scope).create(delivery),
    /**
     * Stores deliveries that are not there yet, each once for its webhook and event.
     * @throws a duplicate key, in a transaction, where a replay stores one in that moment: the transaction is tried again.
     */
    insertMissing: async (scope: WorkspaceScope, rows: readonly LoggedDelivery[], { session }: SessionOption) => {
      if (rows.length === 0) return
      const seqs = rows.map(({ seq }) => seq)
      const webhookIds = [...new Set(rows.map(({ webhookId }) => webhookId))]
      const there = deliveries(scope)
        .find({ webhookId: { $in: webhookIds }, seq: { $gte: Math.min(...seqs), $lte: Math.max(...seqs) } })
        .select('webhookId seq n')
        .session(session ?? null)
        .hint('event')
      const known = new Set<string>()
      for await (const row of there) known.add(keyOf(row))
      const missing = rows.filter((row) => !known.has(keyOf(row)))
      if (missing.length > 0) await deliveries(scope).insertPlain(missing, { session })
    },
    find: (scope: WorkspaceScope, webhookId: string, id: string) => deliveries(scope).findOne({ _id: id, webhookId }),
    ofEvents: (scope: WorkspaceScope, webhookId: string, seqs: readonly number[]): PromiseLike<DeliveryRecord[]> =>
      deliveries(scope)
        .find({ webhookId, seq: { $in: seqs } })
        .hint('event'),
    /** The next deliveries in their order, at most `limit`, of which none is claimed by another worker. */
    claim: async (
      scope: WorkspaceScope,
      webhookId: string,
      { now, leaseUntil, limit, early = false }: { now: Date; leaseUntil: Date; limit: number; early?: boolean },
    ): Promise<DeliveryRecord[]> => {
      const claim = randomUUID()
      const claimed: DeliveryRecord[] = []
      for (const rank of [0, 1] as const) {
        if (claimed.length === limit) break
        const found = await deliveries(scope)
          .find({ webhookId, state: 'due', rank, nextAttemptAt: early ? { $exists: true } : { $lte: now } })
          .sort({ nextAttemptAt: 1, seq: 1 })
          .limit(limit - claimed.length)
          .hint('due')
        if (found.length === 0) continue
        const ids = found.map(({ id }) => id)
        const { modifiedCount } = await deliveries(scope).updateMany(
          { _id: { $in: ids }, state: 'due' },
          { $set: { state: 'sending', claim, leaseUntil } },
        )
        const taken =
          modifiedCount === ids.length
            ? new Set(ids)
            : new Set(
                (
                  await deliveries(scope)
                    .find({ _id: { $in: ids }, claim })
                    .select('_id')
                ).map(({ id }) => id),
              )
        claimed.push(...found.filter(({ id }) => taken.has(id)).map((row) => ({ ...row, claim })))
      }
      return claimed
    },
    /** Puts back what a worker has claimed and not come to. */
    release: async (scope: WorkspaceScope, rows: readonly DeliveryRecord[]): Promise<void> => {
      const [first] = rows
      if (!first) return
      const own = { _id: { $in: rows.map(({ id }) => id) }, claim: first.claim ?? null }
      await deliveries(scope).updateMany(own, { $set: { state: 'due' }, $unset: noClaim })
    },
    /** Puts back what a worker that has died was sending. */
    releaseLost: async (scope: WorkspaceScope, webhookId: string, now: Date): Promise<void> => {
      const lost = { webhookId, state: 'sending', nextAttemptAt: { $exists: true }, leaseUntil: { $lte: now } } as const
      await deliveries(scope).updateMany(lost, { $set: { state: 'due' }, $unset: noClaim })
    },
    settle: async (scope: WorkspaceScope, settled: readonly Settlement[]): Promise<void> => {
      if (settled.length === 0) return
      const writes = settled.map(({ row: { id, claim }, update }) => ({
        updateOne: { filter: { _id: id, claim: claim ?? null }, update },
      }))
      await deliveries(scope).bulkWrite(writes, { ordered: false })
    },
    /** Sends a delivery again, whatever has become of it. @returns null while it is under way. */
    again: (scope: WorkspaceScope, id: string, { at, rank }: { at: Date; rank: 0 | 1 }) =>
      deliveries(scope).findOneAndUpdate(
        { _id: id, state: { $in: ['delivered', 'exhausted', 'aborted', 'skipped'] } },
        { $set: { state: 'due', rank, tries: 0, nextAttemptAt: at, expiresAt: new Date(at.getTime() + keptMs) } },
      ),
    /** Has everything that waits attempted at once, in the order of the events. */
    hurry: async (scope: WorkspaceScope, webhookId: string, at: Date): Promise<void> => {
      const waiting = { webhookId, state: 'due', nextAttemptAt: { $gt: at } } as const
      await deliveries(scope).updateMany(waiting, { $set: { nextAttemptAt: at } })
      const older = { webhookId, state: 'due', nextAttemptAt: { $lt: at } } as const
      await deliveries(scope).updateMany(older, { $set: { nextAttemptAt: at } })
    },
    /** Returns the time at which the next one is to be looked at; undefined where none waits. */
    nextAt: async (scope: WorkspaceScope, webhookId: string): Promise<Date | undefined> => {
      const times = await Promise.all(
        ([0, 1] as const).map(async (rank) => {
          const waiting = { webhookId, state: 'due', rank, nextAttemptAt: { $exists: true } } as const
          return (await deliveries(scope).findOne(waiting, { sort: { nextAttemptAt: 1, seq: 1 }, hint: 'due' }))
            ?.nextAttemptAt
        }),
      )
      const sending = { webhookId, state: 'sending', nextAttemptAt: { $exists: true } } as const
      const lost = await deliveries(scope).findOne(sending, { hint: 'due' })
      return [...times, lost?.leaseUntil].flatMap((at) => at ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
    },
    /** Counts what waits, 10,000 at most. */
    countWaiting: (scope: WorkspaceScope, webhookId: string): Promise<number> =>
      deliveries(scope).countDocuments(
        { webhookId, state: { $in: ['due', 'sending'] }, nextAttemptAt: { $exists: true } },
        { hint: 'due', limit: 10_000 },
      ),
    page: (
      scope: WorkspaceScope,
      webhookId: string,
      query: {
        readonly state?: readonly WebhookDelivery['state'][] | undefined
        readonly type?: WebhookEvent | undefined
        readonly since?: Date | undefined
        readonly until?: Date | undefined
        readonly cursors: PageCursors
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      },
    ) => {
      const { state, type, since, until, ...page } = query
      const at = { ...(since && { $gte: since }), ...(until && { $lte: until }) }
      // With every state or type named, MongoDB merges the parts of this index in their order.
      const outcomes = {
        state: { $in: state ?? deliveryStates },
        type: { $in: type ? [type] : webhookEvents },
      } as const
      const isNarrowed = state !== undefined || type !== undefined
      return pageOf(deliveries(scope), {
        ...page,
        sort: newestFirst,
        ...(isNarrowed && { index: 'outcomes' }),
        workspaceId: scope.workspaceId,
        filter: { webhookId, ...(isNarrowed && outcomes), ...((since || until) && { at }) },
        query: { webhookId, state, type, since, until },
      })
    },
    /** Deletes the log of a webhook, a part at a time. */
    removeOf: async (scope: WorkspaceScope, webhookId: string, options: SessionOption = {}): Promise<void> => {
      await deliveries(scope).deleteMany({ webhookId }, options)
    },
    /** Takes out what receivers have answered about these conversations: it may repeat what was sent. */
    forgetAnswers: async (
      scope: WorkspaceScope,
      conversationIds: readonly string[],
      options: SessionOption,
    ): Promise<void> => {
      const about = { conversationId: { $in: conversationIds } }
      await deliveries(scope).updateMany(about, { $unset: { 'log.$[].answer': 1, sha256: 1 } }, options)
    },
  }
}
