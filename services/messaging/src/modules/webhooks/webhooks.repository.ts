import type { Webhook } from '@parley/contracts/platform/webhooks'
import type { SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type WebhookRecord, webhookSchema } from './webhooks.model.ts'

export type WebhooksRepository = ReturnType<typeof createWebhooksRepository>
export type NewWebhookRecord = Omit<WebhookRecord, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt'>

const oldestFirst: ListSort<WebhookRecord> = { index: 'list', field: 'createdAt', direction: 1 }
const maxDue = 1000

export function createWebhooksRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'webhooks', schema: webhookSchema }
  const webhooks = workspaceCollection<WebhookRecord>(definition)
  /** Writes that are no change of what a webhook is. */
  const marks = workspaceCollection<WebhookRecord>({ ...definition, bookkeeping: true })
  const ofStatus = scopedCollection<{ status: string }, WebhookRecord>(definition, ({ status }) => ({ status }))

  return {
    collection: webhooks,
    create: (scope: WorkspaceScope, record: NewWebhookRecord & { readonly _id: string }, options: SessionOption) =>
      webhooks(scope).create(record, options),
    read: (scope: WorkspaceScope, id: string, options: SessionOption = {}) =>
      webhooks(scope).findOne({ _id: id }, options),
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<WebhookRecord[]> =>
      webhooks(scope).find({ _id: { $in: ids } }),
    byUrl: (scope: WorkspaceScope, url: string) => webhooks(scope).findOne({ url }, { hint: 'url' }),
    /** Counts them for one more. Of two that are made at once one counts the other: both write to the oldest first. */
    countForNew: async (scope: WorkspaceScope, { session }: Required<SessionOption>): Promise<number> => {
      const sort = { createdAt: 1, _id: 1 } as const
      await marks(scope).findOneAndUpdate({}, { $inc: { wakes: 1 } }, { sort, session })
      return webhooks(scope).countDocuments({}, { hint: 'list', session })
    },
    page: (
      scope: WorkspaceScope,
      query: {
        readonly found: RegExp | undefined
        /** Whether an address is looked through too: a search finds out what it says. */
        readonly inUrl: boolean
        readonly status: Webhook['status'] | undefined
        readonly cursors: PageCursors
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      },
    ) => {
      const { found, inUrl, status, ...page } = query
      const texts = ['name' as const, ...(inUrl ? ['url' as const] : [])]
      return pageOf(webhooks(scope), {
        ...page,
        sort: oldestFirst,
        workspaceId: scope.workspaceId,
        filter: {
          ...(status && { status }),
          ...(found && { $or: texts.map((field) => ({ [field]: { $regex: found } })) }),
        },
        query: { found: found?.source, inUrl, status },
      })
    },
    /** Changes what people edit, where it is as they have seen it. */
    edit: (
      scope: WorkspaceScope,
      { id, revision }: Pick<WebhookRecord, 'id' | 'revision'>,
      update: Pick<Extract<Update<WebhookRecord>, { $set?: unknown }>, '$set' | '$unset'>,
      options: SessionOption = {},
    ) => webhooks(scope).findOneAndUpdate({ _id: id, revision }, { ...update, $inc: { revision: 1 } }, options),
    /** Changes its state, where that is still one of these. */
    move: (
      scope: WorkspaceScope,
      id: string,
      from: readonly Webhook['status'][],
      update: Update<WebhookRecord>,
      options: SessionOption = {},
    ) => webhooks(scope).findOneAndUpdate({ _id: id, status: { $in: from } }, update, options),
    remove: async (scope: WorkspaceScope, id: string, options: SessionOption): Promise<boolean> =>
      (await webhooks(scope).deleteOne({ _id: id }, options)).deletedCount > 0,
    /** Webhooks of a workspace that take new events. */
    receiving: (scope: WorkspaceScope, { session }: SessionOption = {}): PromiseLike<WebhookRecord[]> =>
      webhooks(scope)
        .find({ status: { $in: ['active', 'failed'] }, sample: { $exists: false } })
        .hint('list')
        .session(session ?? null),
    /** Tells whether a workspace has one of its own, in whatever state. */
    hasOwn: async (scope: WorkspaceScope): Promise<boolean> =>
      (await webhooks(scope).countDocuments({ sample: { $exists: false } }, { hint: 'list', limit: 1 })) > 0,
    /** Says that there are new deliveries. */
    wake: async (
      scope: WorkspaceScope,
      ids: readonly string[],
      at: Date,
      options: SessionOption = {},
    ): Promise<void> => {
      if (ids.length === 0) return
      await webhooks(scope).updateMany({ _id: { $in: ids } }, { $min: { dueAt: at }, $inc: { wakes: 1 } }, options)
    },
    /** Takes a webhook for a slice of its deliveries: should that be lost, it is due again then. */
    begin: (scope: WorkspaceScope, id: string, lostAt: Date) =>
      webhooks(scope).findOneAndUpdate({ _id: id, sample: { $exists: false } }, { $set: { dueAt: lostAt } }),
    /** Ends a slice; what has come meanwhile stays due at once. */
    end: async (
      scope: WorkspaceScope,
      { id, wakes }: Pick<WebhookRecord, 'id' | 'wakes'>,
      next: Date | undefined,
      { calls, ok, at }: { calls: number; ok: number; at: Date | undefined },
    ): Promise<void> => {
      const counted = {
        $inc: { totalCalls: calls, okCalls: ok },
        ...(at && { $max: { lastTriggeredAt: at } }),
      }
      const due = next ? { $set: { dueAt: next } } : { $unset: { dueAt: 1 as const } }
      const { matchedCount } = await webhooks(scope).updateOne({ _id: id, wakes }, { ...counted, ...due })
      if (matchedCount === 0) await webhooks(scope).updateOne({ _id: id }, { ...counted, $set: { dueAt: new Date() } })
    },
    /** Webhooks with deliveries that are due. @param closed workspaces whose webhooks are left out, before any of the others is. */
    due: async (now: Date, closed: ReadonlySet<string>): Promise<{ id: string; workspaceId: string }[]> => {
      const found = await Promise.all(
        ['active', 'failed'].map((status) =>
          ofStatus({ status })
            .find({ dueAt: { $lte: now }, ...without(closed) })
            .sort({ dueAt: 1 })
            .limit(maxDue)
            .hint('due'),
        ),
      )
      return found.flat().map(({ id, workspaceId }) => ({ id, workspaceId }))
    },
    /** Since when the oldest delivery of an active webhook is due. @param closed as above. */
    oldestDueAt: async (closed: ReadonlySet<string>): Promise<Date | undefined> => {
      const [first] = await ofStatus({ status: 'active' })
        .find({ dueAt: { $lte: new Date() }, ...without(closed) })
        .sort({ dueAt: 1 })
        .limit(1)
        .hint('due')
      return first?.dueAt
    },
    /** Counts webhooks that fail or are late, for alerts. @param closed as above. */
    countWaiting: async (lateBefore: Date, closed: ReadonlySet<string>): Promise<{ failed: number; late: number }> => {
      const counted = (status: 'failed' | 'active', dueAt: object) =>
        ofStatus({ status }).countDocuments({ dueAt, ...without(closed) }, { hint: 'due' })
      return { failed: await counted('failed', { $exists: true }), late: await counted('active', { $lte: lateBefore }) }
    },
  }
}

/** Leaves out some workspaces: those that are closed are few at any time. */
const without = (workspaceIds: ReadonlySet<string>) =>
  workspaceIds.size > 0 ? { workspaceId: { $nin: [...workspaceIds] } } : {}
