import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { Quota } from '../../usage/plan/quota.service.ts'
import type { RateCards } from '../../usage/rate-cards/rate-cards.service.ts'
import type { MaterializeAudience } from '../audience/materialize-audience.ts'
import type { RecentSince } from '../audience/recent-since.ts'
import type { RetargetAudience } from '../audience/retarget-audience.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { SentAgain } from '../results/sent-again.ts'
import type { createCampaignNotes } from '../results/timeline.repository.ts'
import type { DeliveryOf } from '../run/delivery.ts'
import type { Recount } from '../run/recount.ts'
import type { AudienceNames } from './audience-names.ts'
import type { DraftsRepository } from './drafts.repository.ts'
import { createDraftsService } from './drafts.service.ts'
import { createLaunch } from './launch.service.ts'
import { createReviews } from './review.service.ts'
import { createReviewChecks, type ReviewMeans } from './review-checks.ts'
import { createReviewResult } from './review-result.ts'
import { createReviewWork } from './review-work.ts'
import type { ShowDrafts } from './show-drafts.ts'

interface Dependencies {
  readonly drafts: DraftsRepository
  readonly showDrafts: ShowDrafts
  readonly shown: Pick<CampaignsService, 'find' | 'showOne'>
  readonly freeze: MaterializeAudience
  readonly recipients: RecipientsRepository
  readonly recount: Recount
  readonly recentSince: RecentSince
  readonly earlier: RetargetAudience['earlier']
  readonly sendAgain: SentAgain['claim']
  readonly importPeople: Pick<ImportPeople, 'find' | 'problemOf'>
  readonly audienceNames: AudienceNames
  readonly countContacts: ContactsService['count']
  readonly notes: ReturnType<typeof createCampaignNotes>
  readonly zoneOf: (scope: WorkspaceScope) => Promise<string>
  readonly templates: Pick<TemplatesService, 'find' | 'readMany'>
  readonly numbers: Pick<NumbersService, 'read'>
  readonly segments: Pick<SegmentsService, 'find' | 'filterOf'>
  readonly needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  readonly cardAt: RateCards['at']
  readonly quota: Pick<Quota, 'prepare' | 'usage'>
  readonly deliveryOf: DeliveryOf
  readonly reschedule: (campaign: CampaignRecord) => Promise<unknown>
  readonly holdLimit: HoldLimit
  readonly transaction: RunInTransaction
  readonly queue: (records: readonly JobRecord[]) => Promise<void>
}

/** Wires drafts of campaigns, their reviews and their launch. */
export function createDrafts(deps: Dependencies) {
  const { drafts, showDrafts, shown, templates, numbers, segments, recipients, quota, transaction, queue } = deps
  const now = () => new Date()
  const meansOf = async (
    scope: WorkspaceScope,
    { templateId, numberId }: { templateId: string; numberId: string },
  ): Promise<ReviewMeans> => {
    const [found, number] = await Promise.all([templates.readMany(scope, [templateId]), numbers.read(scope, numberId)])
    return { template: found.get(templateId), number }
  }
  const campaignDrafts = createDraftsService({
    drafts,
    show: showDrafts,
    findCampaign: shown.find,
    templateName: async (scope, id) => (await templates.find(scope, id)).name,
    findSegment: segments.find,
    findImport: deps.importPeople.find,
    audienceNames: deps.audienceNames,
    findNumber: async (scope, id) => {
      if (!(await numbers.read(scope, id))) throw errors.notFound('This number is no longer connected.')
    },
    notes: deps.notes,
    holdLimit: deps.holdLimit,
    transaction,
  })
  const checks = createReviewChecks({
    meansOf,
    filterOf: segments.filterOf,
    earlier: deps.earlier,
    importPeople: deps.importPeople,
    isTagged: async (scope, tag) => {
      const tagged = [{ index: 'tags', filter: { tags: tag } }]
      return (await deps.countContacts(scope, tagged, { limit: 1 })) !== 0
    },
    needsOptIn: deps.needsOptIn,
    zoneOf: deps.zoneOf,
  })
  const reviewWork = createReviewWork({
    drafts,
    checks,
    transaction,
    now,
    freeze: deps.freeze,
    recount: deps.recount,
    recentSince: deps.recentSince,
    note: deps.notes.note,
    resultOf: createReviewResult({
      recipients,
      now,
      cardAt: deps.cardAt,
      usage: quota.usage,
      deliveryOf: deps.deliveryOf,
    }),
  })
  return {
    checks,
    reviewWork,
    campaignDrafts,
    campaignReviews: createReviews({
      drafts,
      checks,
      transaction,
      queue,
      now,
      find: campaignDrafts.find,
      showOne: showDrafts.showOne,
      totals: recipients.totals,
    }),
    launchCampaign: createLaunch({
      drafts,
      shown,
      checks,
      quota,
      transaction,
      queue,
      now,
      note: deps.notes.note,
      sendAgain: deps.sendAgain,
      reschedule: deps.reschedule,
      audienceName: async (ctx, draft) =>
        (await showDrafts.showMany(ctx, [draft]))[0]?.audienceName ?? draft.audienceName,
    }),
  }
}
