import type { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { CampaignsService } from '../campaigns.service.ts'
import type { DraftsRepository } from '../drafts/drafts.repository.ts'
import type { TimelineRecord } from './timeline.model.ts'
import { createTimelinePages } from './timeline.repository.ts'

type Query = EndpointInput<typeof campaignTimelineApi.read>['query']

/** Records what has happened with a campaign, or with a draft of one. */
export function createCampaignTimeline({
  shown: { find },
  drafts,
  mongo,
  cursors,
}: {
  shown: Pick<CampaignsService, 'find'>
  drafts: Pick<DraftsRepository, 'read'>
  mongo: ServiceConnection
  cursors: PageCursors
}) {
  const pages = createTimelinePages(mongo, cursors)
  /** @throws `not_found`. */
  return async (scope: WorkspaceScope, id: string, query: Query) => {
    const draft = isId(id) ? await drafts.read(scope, id) : null
    const { id: campaignId } = draft ?? (await find(scope, id))
    const page = await pages(scope, campaignId, query)
    return { ...page, items: page.items.map(toItem) }
  }
}

const toItem = ({ id, at, memberId, told: content }: TimelineRecord) => ({
  ...content,
  id,
  at: at.toISOString(),
  ...(memberId !== undefined && { memberId }),
})
