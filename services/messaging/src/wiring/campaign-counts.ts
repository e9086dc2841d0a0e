import { createNoteAnswers } from '../features/campaigns/answers.ts'
import { createCampaignRows } from '../features/campaigns/campaign-rows.ts'
import { createRecount } from '../features/campaigns/recount.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

export type CampaignCounts = ReturnType<typeof wireCampaignCounts>

/** Wires how campaigns learn what became of their messages, which messages and contacts need before campaigns are wired. */
export function wireCampaignCounts({ queues, transaction }: Platform, { recipients, messages }: Stores) {
  const recount = createRecount({ recipients, transaction, queue: queues.jobs('campaign-counts').add })
  return {
    recount,
    noteInCampaigns: createCampaignRows({ recipients, recount }),
    noteAnswers: createNoteAnswers({ sentIn: messages.ofCampaigns, recipients, recount }),
  }
}
