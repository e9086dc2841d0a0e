import type { TransientEvent } from '@parley/contracts/platform/event-stream'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import { clockIdleMs, upkeepIdleMs } from '@parley/service-kit/queue/sweep'
import type { JobOptions } from '../../load-work.ts'
import { countsOf } from './recipients/tallies.ts'
import type { Recount } from './run/recount.ts'

export default ({ services, config, publishUnlogged }: JobOptions): JobQueue[] => {
  const { campaignRun, recount } = services
  const oldRows = services.createOldRowRemoval(config.CAMPAIGN_ROWS_MONTHS)
  return [
    // The outbox of a running one is filled again before it is empty.
    { name: 'campaigns', perform: performCampaign(services), due: campaignRun.due, sweepMs: 500, idleMs: clockIdleMs },
    // Running campaigns count their blocks in turn, and others when a member looks.
    {
      name: 'campaign-counts',
      perform: createCampaignProgress({ recount, publish: publishUnlogged }).perform,
      concurrency: 2,
    },
    { name: 'campaign-rows', perform: oldRows.perform, due: oldRows.due, concurrency: 1, idleMs: upkeepIdleMs },
  ]
}

/** Performs the job of a campaign or of a draft, whichever has the id. */
export const performCampaign =
  ({ campaignRun, reviewWork }: Pick<JobOptions['services'], 'campaignRun' | 'reviewWork'>): JobQueue['perform'] =>
  async (job, requeue) => {
    await campaignRun.perform(job, requeue)
    await reviewWork.perform(job, requeue)
  }

const intervalMs = 1000

/**
 * Counts blocks and announces the progress of campaigns, each once in a second at most.
 * @param options.publish to every member of a workspace; it may be lost.
 */
function createCampaignProgress({
  recount,
  publish,
}: {
  recount: Pick<Recount, 'perform'>
  publish: (workspaceId: string, event: TransientEvent, data: unknown) => Promise<void>
}) {
  const latest = new Map<string, unknown>()

  async function perform(job: JobRecord): Promise<void> {
    const { campaignId, tallies } = await recount.perform(job)
    const isWaiting = latest.has(campaignId)
    latest.set(campaignId, { campaignId, counts: countsOf(tallies) })
    if (isWaiting) return
    setTimeout(() => {
      const data = latest.get(campaignId)
      latest.delete(campaignId)
      void publish(job.workspaceId, 'campaign.progress', data)
    }, intervalMs).unref()
  }

  return { perform }
}
