import type { CampaignDraft, DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import type { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { RetargetAudience } from '../audience/retarget-audience.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Caller, DraftsService } from '../drafts/drafts.service.ts'

type Retry = EndpointInput<typeof campaignResultsApi.retry>['body']

const maxName = 120
const again = ' again'

/** Begins another campaign for those whom one has missed. */
export const createRetry =
  ({
    missed: audiences,
    campaignDrafts,
  }: {
    missed: Pick<RetargetAudience, 'retried'>
    campaignDrafts: Pick<DraftsService, 'create'>
  }) =>
  /** @throws `not_found`; `wrong_state` as long as it runs; `too_early`; `recipients_removed`. */
  async (ctx: Caller, id: string, { scope: missed, classes, templateId }: Retry): Promise<CampaignDraft> => {
    const chosen = missed === 'failed' && classes && { classes: [...new Set(classes)] }
    const audience = { kind: 'campaign' as const, campaignId: id, missed, ...chosen }
    return campaignDrafts.create(ctx, sameMessage(await audiences.retried(ctx, audience), { audience, templateId }))
  }

/** Returns the name of a campaign that follows another one. */
export const nameOfRetry = (name: string): string => `${name.slice(0, maxName - again.length)}${again}`

/** Copies a campaign's message; values of another template are chosen again. */
function sameMessage(
  campaign: CampaignRecord,
  { audience, templateId = campaign.templateId }: Pick<DraftFields, 'audience' | 'templateId'>,
): DraftFields {
  const { name, numberId, variables, recipientFile } = campaign
  // The message that has failed counts as recent marketing, since WhatsApp had accepted it.
  const recentDays = audience?.kind === 'campaign' && audience.missed === 'failed' ? undefined : campaign.recentDays
  return {
    name: nameOfRetry(name),
    audience,
    templateId,
    numberId,
    variables: templateId === campaign.templateId ? { ...variables } : {},
    ...(recentDays !== undefined && { recentDays }),
    ...(recipientFile && templateId === campaign.templateId && { recipientFile }),
  }
}
