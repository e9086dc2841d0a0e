import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type QuotaHold, type QuotaHolder, uncertainMs } from '../../usage/plan/quota-hold.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { Tallies } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { countsOf } from '../recipients/tallies.ts'

type Held = Pick<CampaignRecord, 'hold' | 'frozen' | 'status' | 'completedAt' | 'stoppedAt'>

export type QuotaHolders = ReturnType<typeof createQuotaHolders>

/** Campaigns as holders of the plan's messages. */
export function createQuotaHolders({
  campaigns,
  recipients: { totals },
  now = () => new Date(),
}: {
  campaigns: Pick<CampaignsRepository, 'read' | 'readMany'>
  recipients: Pick<RecipientsRepository, 'totals'>
  now?: Clock
}) {
  /** @returns undefined where there is no such campaign any more. */
  async function countedAs(
    scope: WorkspaceScope,
    campaignId: string,
    tallies: Tallies,
    tx: Tx,
  ): Promise<QuotaHolder | undefined> {
    const campaign = await campaigns.read(scope, campaignId, tx)
    return campaign ? holderOf(campaign, tallies, now()) : undefined
  }

  /** Reads a campaign as a holder, by its latest counts. */
  async function read(scope: WorkspaceScope, campaignId: string, tx: Tx): Promise<QuotaHolder | undefined> {
    const tallies = (await totals(scope, [campaignId])).get(campaignId) ?? {}
    return countedAs(scope, campaignId, tallies, tx)
  }

  return { countedAs, read, readMany: campaigns.readMany }
}

const holderOf = (campaign: CampaignRecord, tallies: Tallies, now: Date): QuotaHolder => ({
  id: campaign.id,
  hold: campaign.hold,
  share: quotaHoldOf(campaign, tallies, now),
})

/**
 * Returns whether a campaign holds as much as it has people who wait for it: those in its stored audience, who may be others than
 * were counted before. A campaign of the sample counts none.
 */
export const holdsRows = ({ hold, frozen }: Pick<Held, 'hold' | 'frozen'>): boolean =>
  !hold || !frozen.done || frozen.pending === undefined || hold.n === frozen.pending

/**
 * Returns what a campaign takes by the counts of its rows: held for those who wait or are uncertain, used by those who were sent
 * to. Skipped, failed and, once it is cancelled, not tried are neither. Undefined as long as not all of its rows are counted.
 */
export function quotaHoldOf(campaign: Held, tallies: Tallies, now: Date): QuotaHold | undefined {
  const { hold, frozen, status } = campaign
  const isCancelled = status === 'cancelled'
  const { audience: counted, sent, uncertain } = countsOf(tallies)
  const isWritten = frozen.done && holdsRows(campaign)
  if (!hold || counted !== frozen.rows || !(isWritten || isCancelled)) return undefined
  const endedAt = isCancelled ? campaign.stoppedAt : campaign.completedAt
  const isOver = endedAt !== undefined && now.getTime() - endedAt.getTime() >= uncertainMs
  const waiting = (tallies['queued'] ?? 0) + (isCancelled ? 0 : (tallies['pending'] ?? 0))
  return { held: waiting + (isOver ? 0 : uncertain), used: Math.max(0, sent - hold.before) }
}
