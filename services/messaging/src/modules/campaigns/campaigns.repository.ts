import { foldText } from '@parley/rules/fold-text'
import type { SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type CampaignRecord, campaignSchema, watched, watchedRows } from './campaigns.model.ts'
import { type AnyRecord, isLaunched } from './drafts/drafts.model.ts'

type Status = CampaignRecord['status']
/** Campaign as it was seen, to which a change is made. */
export interface Expected {
  readonly status?: Status | { readonly $in: readonly Status[] }
  readonly position?: number
  /** Progress of a group of time zones. */
  readonly [queued: `queued.${number}`]: number | { readonly $exists: false }
  readonly 'frozen.rows'?: number
  readonly 'frozen.clearing'?: boolean
  readonly startedAt?: { readonly $exists: boolean }
  readonly rowsRemoved?: { readonly $exists: false }
}
export type CampaignsRepository = ReturnType<typeof createCampaignsRepository>

export type NewCampaign = Omit<CampaignRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly _id: string
}

interface ListQuery {
  readonly q?: string | undefined
  readonly status?: readonly (Status | 'draft')[] | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const maxSending = 500

/** Returns the filter of records whose audience includes or excludes contacts who carry a tag. */
export const namesTag = (tag: string) => ({ $or: [{ 'audience.tags': tag }, { 'audience.exclude.tags': tag }] })

export function createCampaignsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const definition = { connection, name: 'campaigns', schema: campaignSchema }
  const campaigns = workspaceCollection<CampaignRecord>(definition)
  const listed = workspaceCollection<AnyRecord>(definition)
  // Workers look for work in every workspace.
  const underWatch = scopedCollection<object, CampaignRecord>(definition, () => ({ watch: watched }))
  const withRows = scopedCollection<object, CampaignRecord>(definition, () => ({ watch: watchedRows }))

  return {
    /** One that was launched. */
    read: async (scope: WorkspaceScope, id: string, options?: SessionOption): Promise<CampaignRecord | null> => {
      const found = await listed(scope).findOne({ _id: id }, options)
      return found && isLaunched(found) ? found : null
    },
    readMany: async (scope: WorkspaceScope, ids: readonly string[]): Promise<CampaignRecord[]> =>
      (await listed(scope).find({ _id: { $in: ids } })).filter(isLaunched),
    /** Drafts among them. */
    page: (scope: WorkspaceScope, { q, status, limit, cursor }: ListQuery) => {
      const sought = foldText(q ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return pageOf(listed(scope), {
        sort: { index: 'latest', field: 'createdAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: {
          status: status?.length ? { $in: status } : { $ne: 'removed' as const },
          ...(sought !== '' && { searchKey: { $regex: sought } }),
        },
        query: { q, status },
        limit,
        cursor,
      })
    },
    /** Inserts a campaign that was never a draft. @throws a duplicate key where it is there already. */
    insert: (scope: WorkspaceScope, campaign: NewCampaign, options: SessionOption) =>
      campaigns(scope).insertPlain([campaign], options),
    /** Returns campaigns that have begun, the latest first. */
    latestBegun: (scope: WorkspaceScope, limit: number): PromiseLike<CampaignRecord[]> =>
      campaigns(scope)
        .find({ startedAt: { $exists: true } })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .select('name startedAt')
        .hint('latest'),
    /** Returns campaigns that were sending at or after a moment: of the latest 500 that have begun. */
    sendingWithin: (
      scope: WorkspaceScope,
      { from, to }: { from: Date; to: Date },
      { numberId }: { numberId?: string | undefined } = {},
    ): PromiseLike<Pick<CampaignRecord, 'id' | 'name' | 'template'>[]> =>
      campaigns(scope)
        .find({
          // Those created later have not begun before: the newest are not looked through for an old period.
          createdAt: { $lt: to },
          startedAt: { $lt: to },
          $or: [
            { status: 'active' },
            { completedAt: { $gte: from } },
            // Sample data of earlier versions do not say when they were paused.
            { status: { $in: ['paused', 'cancelled'] }, stoppedAt: { $not: { $lt: from } } },
          ],
          ...(numberId !== undefined && { numberId }),
        })
        .sort({ createdAt: -1, _id: -1 })
        .limit(maxSending)
        .select('name template')
        .hint('latest'),
    /** Returns campaigns that are to send a template, or are sending it, the latest first. */
    toSend: async (scope: WorkspaceScope, templateId: string, limit: number): Promise<CampaignRecord[]> => {
      const status = { $in: ['scheduled', 'active', 'paused'] as const }
      return campaigns(scope).find({ templateId, status }).sort({ createdAt: -1 }).limit(limit).hint('template')
    },
    /** Returns campaigns that a number is sending, with their turns. */
    activeOn: (scope: WorkspaceScope, numberId: string): PromiseLike<Pick<CampaignRecord, 'id' | 'turn'>[]> =>
      campaigns(scope).find({ numberId, status: 'active' }).select('turn').hint('number'),
    /** One that was paused since a moment because WhatsApp refuses its template. */
    refusedSince: (scope: WorkspaceScope, templateId: string, since: Date) =>
      campaigns(scope).findOne(
        { templateId, status: 'paused', pausedFor: 'template_refused', stoppedAt: { $gte: since } },
        { hint: 'template' },
      ),
    /** Returns campaigns that have not begun, and whose audience names a tag. */
    waitingFor: (scope: WorkspaceScope, tag: string, { session = null }: { session?: Tx['session'] | null }) =>
      campaigns(scope)
        .find({ status: 'scheduled', ...namesTag(tag) })
        .hint('status')
        .session(session),
    /** Returns what has placeholders to be filled: drafts, and campaigns that have not ended. */
    toBeFilled: (scope: WorkspaceScope): PromiseLike<Pick<AnyRecord, 'variables'>[]> =>
      listed(scope)
        .find({ status: { $in: ['draft', 'scheduled', 'active', 'paused'] } })
        .select('variables')
        .hint('status'),
    scheduled: (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>): PromiseLike<CampaignRecord[]> =>
      campaigns(scope).find({ status: 'scheduled' }).hint('status').session(session),
    /** Counts those that are sending now. @param of all of them, or those of the sample data or none of these. */
    countActive: (scope: WorkspaceScope, of?: 'own' | 'sample'): Promise<number> =>
      campaigns(scope).countDocuments(
        { status: 'active', ...(of && { sample: of === 'sample' ? (true as const) : { $exists: false } }) },
        { hint: 'status' },
      ),
    countByStatus: async (scope: WorkspaceScope): Promise<Map<string, number>> => {
      const found = await campaigns(scope).aggregate<{ status: string; count: number }>(
        [{ $group: { _id: '$status', count: { $sum: 1 } } }, { $project: { _id: 0, status: '$_id', count: 1 } }],
        { hint: 'latest' },
      )
      return new Map(found.map(({ status, count }) => [status, count]))
    },
    /** @returns null where it is not as it was seen. */
    change: (
      scope: WorkspaceScope,
      id: string,
      { expected, update }: { expected: Expected; update: Update<CampaignRecord> },
      options: SessionOption = {},
    ) => campaigns(scope).findOneAndUpdate({ _id: id, ...expected }, update, options),
    /** Returns whether it is as it was seen. */
    isStill: async (scope: WorkspaceScope, id: string, expected: Expected): Promise<boolean> =>
      (await campaigns(scope).findOne({ _id: id, ...expected })) !== null,
    due: (now: Date): PromiseLike<CampaignRecord[]> =>
      underWatch({})
        .find({ nextAt: { $lte: now } })
        .sort({ nextAt: 1 })
        .limit(500)
        .hint('due'),
    /** Counts the campaigns of all workspaces that send now, and at most how many rows of theirs the outbox has not been given. */
    countSending: async () => {
      const left = { $max: [0, { $subtract: ['$frozen.rows', '$position'] }] }
      const [found] = await underWatch({}).aggregate<{ campaigns: number; rowsLeft: number }>(
        [
          { $match: { status: 'active' } },
          { $group: { _id: null, campaigns: { $sum: 1 }, rowsLeft: { $sum: left } } },
          { $project: { _id: 0 } },
        ],
        { hint: 'due' },
      )
      return found ?? { campaigns: 0, rowsLeft: 0 }
    },
    /** Returns whether its rows are not counted any more. */
    areRowsRemoved: async (scope: WorkspaceScope, id: string, { session }: SessionOption = {}): Promise<boolean> =>
      (await campaigns(scope).findOne({ _id: id, rowsRemoved: { $exists: true } }, { session })) !== null,
    /** Returns campaigns that ended by then and still have rows. */
    endedWithRows: (by: Date): PromiseLike<CampaignRecord[]> =>
      withRows({})
        .find({ nextAt: { $lte: by } })
        .sort({ nextAt: 1 })
        .limit(100)
        .hint('due'),
  }
}
