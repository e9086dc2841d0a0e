import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../load-work.ts'
import { createCampaignProgress } from './run/campaign-progress.ts'

export default ({ services, config, publishUnlogged }: JobOptions): JobQueue[] => {
  const { campaignRun, recount } = services
  const oldRows = services.createOldRowRemoval(config.CAMPAIGN_ROWS_MONTHS)
  return [
    // The outbox of a running one is filled again before it is empty.
    { name: 'campaigns', perform: campaignRun.perform, due: campaignRun.due, sweepMs: 500 },
    // Running campaigns count their blocks in turn, and others when a member looks.
    {
      name: 'campaign-counts',
      perform: createCampaignProgress({ recount, publish: publishUnlogged }).perform,
      concurrency: 2,
    },
    { name: 'campaign-rows', perform: oldRows.perform, due: oldRows.due, concurrency: 1 },
  ]
}
