import { createNoteAnswers } from '../features/campaigns/answers.ts'
import { createCampaignRows } from '../features/campaigns/campaign-rows.ts'
import { createCampaignsRepository } from '../features/campaigns/campaigns.repository.ts'
import { createWorkspaceQuota } from '../features/campaigns/quota/create-quota.ts'
import { createRecount } from '../features/campaigns/recount.ts'
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
  const { quota, ...forPlans } = createWorkspaceQuota({
    mongo,
    cursors,
    transaction,
    messages,
    ...plans,
    totals: recipients.totals,
    sampleData: sampleStates.read,
    readHours: sendingHours.read,
  })
  const recount = createRecount({
    recipients,
    transaction,
    areRowsRemoved: createCampaignsRepository(mongo, cursors).areRowsRemoved,
    changedSince: messages.changedSince,
    countDifference: () => platform.figures.countDifference('campaign'),
    settleQuota: quota.settle,
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
