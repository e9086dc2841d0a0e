import type { SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { foldText } from '../../search-text.ts'
import { type CampaignRecord, campaignSchema, watched } from './campaigns.model.ts'

export type NewCampaignRecord = Omit<CampaignRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'>
type Status = CampaignRecord['status']
/** What a change is made to: the campaign as it was seen. */
export interface Seen {
  readonly status?: Status | { readonly $in: readonly Status[] }
  readonly position?: number
  readonly 'frozen.rows'?: number
}
export type CampaignsRepository = ReturnType<typeof createCampaignsRepository>

interface ListQuery {
  readonly q?: string | undefined
  readonly status?: readonly Status[] | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export function createCampaignsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const definition = { connection, name: 'campaigns', schema: campaignSchema }
  const campaigns = workspaceCollection<CampaignRecord>(definition)
  // Workers look for work in every workspace.
  const underWatch = scopedCollection<object, CampaignRecord>(definition, () => ({ watch: watched }))

  return {
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      campaigns(scope).findOne({ _id: id }, options),
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<CampaignRecord[]> =>
      campaigns(scope).find({ _id: { $in: ids } }),
    page: (scope: WorkspaceScope, { q, status, limit, cursor }: ListQuery) => {
      const sought = foldText(q ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return pageOf(campaigns(scope), {
        sort: { index: 'latest', field: 'createdAt', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        filter: {
          ...(status?.length && { status: { $in: status } }),
          ...(sought !== '' && { searchKey: { $regex: sought } }),
        },
        query: { q, status },
        limit,
        cursor,
      })
    },
    /** Those that have begun, the latest first. */
    latestBegun: (scope: WorkspaceScope, limit: number): PromiseLike<CampaignRecord[]> =>
      campaigns(scope)
        .find({ startedAt: { $exists: true } })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .select('name startedAt')
        .hint('latest'),
    /** Those that are to send a template, or are sending it, the latest first. */
    toSend: async (scope: WorkspaceScope, templateId: string, limit: number): Promise<CampaignRecord[]> => {
      const status = { $in: ['scheduled', 'active', 'paused'] as const }
      return campaigns(scope).find({ templateId, status }).sort({ createdAt: -1 }).limit(limit).hint('template')
    },
    /** One that was paused since a moment because WhatsApp refuses its template. */
    refusedSince: (scope: WorkspaceScope, templateId: string, since: Date) =>
      campaigns(scope).findOne(
        { templateId, status: 'paused', pausedFor: 'template_refused', stoppedAt: { $gte: since } },
        { hint: 'template' },
      ),
    /** Those that have not begun, and are to go to whoever carries a tag. */
    waitingFor: (scope: WorkspaceScope, tag: string, { session = null }: { session?: Tx['session'] | null }) =>
      campaigns(scope).find({ status: 'scheduled', 'audience.tags': tag }).hint('latest').session(session),
    countByStatus: async (scope: WorkspaceScope): Promise<Map<string, number>> => {
      const found = await campaigns(scope).aggregate<{ status: string; count: number }>(
        [{ $group: { _id: '$status', count: { $sum: 1 } } }, { $project: { _id: 0, status: '$_id', count: 1 } }],
        { hint: 'latest' },
      )
      return new Map(found.map(({ status, count }) => [status, count]))
    },
    create: (scope: WorkspaceScope, record: NewCampaignRecord, options: SessionOption) =>
      campaigns(scope).create(record, options),
    /** @returns null where it is not as it was seen. */
    change: (
      scope: WorkspaceScope,
      id: string,
      { seen, update }: { seen: Seen; update: Update<CampaignRecord> },
      options: SessionOption = {},
    ) => campaigns(scope).findOneAndUpdate({ _id: id, ...seen }, update, options),
    /** Whether it is as it was seen. */
    isStill: async (scope: WorkspaceScope, id: string, seen: Seen): Promise<boolean> =>
      (await campaigns(scope).findOne({ _id: id, ...seen })) !== null,
    due: (now: Date): PromiseLike<CampaignRecord[]> =>
      underWatch({})
        .find({ nextAt: { $lte: now } })
        .sort({ nextAt: 1 })
        .limit(500)
        .hint('due'),
  }
}
