import { campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import { campaignTextApi } from '@parley/contracts/campaigns/campaign-text'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function campaignsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { campaigns, campaignCost, campaignChanges, recipientLists, recipientsDownload } = services
  const { campaignDrafts, campaignReviews, launchCampaign } = services
  mount(scope, campaignsApi.list, ({ ctx, query }) => campaigns.list(ctx, query))
  mount(scope, campaignsApi.summary, ({ ctx }) => campaigns.summary(ctx))
  mount(scope, campaignsApi.preview, ({ ctx, body }) => campaigns.preview(ctx, body))
  mount(scope, campaignsApi.read, ({ ctx, params }) => campaigns.read(ctx, params.id))
  mount(scope, campaignTextApi.read, ({ ctx, params }) => services.campaignText(ctx, params.id))
  mount(scope, campaignCostApi.read, ({ ctx, params }) => campaignCost(ctx, params.id))
  mount(scope, campaignsApi.change, ({ ctx, params, body }) => campaignChanges.change(ctx, params.id, body))
  mount(scope, campaignDraftsApi.create, ({ ctx, body }) => campaignDrafts.create(ctx, body))
  mount(scope, campaignDraftsApi.save, ({ ctx, params, body }) => campaignDrafts.save(ctx, params.id, body))
  mount(scope, campaignDraftsApi.remove, ({ ctx, params }) => campaignDrafts.remove(ctx, params.id))
  mount(scope, campaignDraftsApi.startReview, ({ ctx, params, body }) =>
    campaignReviews.start(ctx, params.id, body.version),
  )
  mount(scope, campaignDraftsApi.readReview, ({ ctx, params }) => campaignReviews.read(ctx, params.id))
  mount(scope, campaignDraftsApi.launch, ({ ctx, params, body }) => launchCampaign(ctx, params.id, body))
  mount(scope, campaignTimelineApi.read, ({ ctx, params, query }) => services.campaignTimeline(ctx, params.id, query))
  mount(scope, campaignResultsApi.explain, ({ ctx, params, body }) =>
    services.explainRecipient(ctx, params.id, body.contactId),
  )
  mount(scope, campaignResultsApi.retry, ({ ctx, params, body }) => services.retryCampaign(ctx, params.id, body))
  mount(scope, recipientsApi.list, ({ ctx, params, query }) => recipientLists.list(ctx, params.id, query))
  mount(scope, recipientsApi.ofContact, ({ ctx, params }) => recipientLists.ofContact(ctx, params.id))
  mount(scope, recipientsApi.download, ({ ctx, params, query }) => recipientsDownload(ctx, params.id, query))
}
