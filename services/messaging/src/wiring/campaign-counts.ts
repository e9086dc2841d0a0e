import { createCampaignsRepository } from '../modules/campaigns/campaigns.repository.ts'
import { createCampaignRows } from '../modules/campaigns/recipients/campaign-rows.ts'
import { createQuotaHolders } from '../modules/campaigns/run/quota-holders.ts'
import { createRecount } from '../modules/campaigns/run/recount.ts'
import { createNoteAnswers } from '../modules/campaigns/tracking/answers.ts'
import { createWorkspaceQuota } from '../modules/usage/plan/create-quota.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

export type CampaignCounts = ReturnType<typeof wireCampaignCounts>

/** Wires how campaigns learn what became of their messages, which messages and contacts need before campaigns are wired. */
export function wireCampaignCounts(
  platform: Platform,
  stores: Stores,
  plans: { readonly hasLimits: boolean; readonly isChoosable: boolean },
) {
  const { mongo, cursors, queues, transaction } = platform
  const { recipients, messages, sampleStates, sendingHours } = stores
  const campaigns = createCampaignsRepository(mongo, cursors)
  const holders = createQuotaHolders({ campaigns, totals: recipients.totals })
  const { quota, ...forPlans } = createWorkspaceQuota({
    mongo,
    transaction,
    messages,
    ...plans,
    holders,
    sampleData: sampleStates.read,
    readHours: sendingHours.read,
  })
  const recount = createRecount({
    recipients,
    transaction,
    areRowsRemoved: campaigns.areRowsRemoved,
    changedSince: messages.changedSince,
    countDifference: () => platform.figures.countDifference('campaign'),
    settleQuota: async (scope, campaignId, tallies, tx) => {
      const holder = await holders.countedAs(scope, campaignId, tallies, tx)
      if (holder) await quota.settle(scope, holder, tx)
    },
    queue: queues.jobs('campaign-counts').add,
  })
  return {
    quota,
    ...forPlans,
    recount,
    noteInCampaigns: createCampaignRows({ recipients, recount }),
    recordReplies: createNoteAnswers({ sentIn: messages.ofCampaigns, recipients, recount }),
  }
}
