import type { TransientEvent } from '@parley/contracts/platform/event-stream'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { countsOf } from '../recipients/tallies.ts'
import type { Recount } from './recount.ts'

const intervalMs = 1000

/**
 * Counts blocks and announces the progress of campaigns, each once in a second at most.
 * @param options.publish to every member of a workspace; it may be lost.
 */
export function createCampaignProgress({
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
