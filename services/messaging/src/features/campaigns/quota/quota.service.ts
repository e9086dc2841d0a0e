import { quotaProblem, type Usage } from '@parley/contracts/usage'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { Tallies } from '../recipients.model.ts'
import type { RecipientsRepository } from '../recipients.repository.ts'
import type { Allowance, createAllowance } from './allowance.ts'
import type { UsagePeriodRecord } from './quota.model.ts'
import { shareOf } from './share.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

type Hold = NonNullable<CampaignRecord['hold']>
export type Quota = ReturnType<typeof createQuota>

/** Credits of a workspace: what campaigns hold and use of the period in which they were launched. Answers never ask for them. */
export function createQuota({
  periods,
  allowanceAt,
  campaigns,
  totals,
  countSingles,
  transaction,
  now = () => new Date(),
}: {
  periods: UsagePeriodsRepository
  allowanceAt: ReturnType<typeof createAllowance>
  campaigns: Pick<CampaignsRepository, 'read' | 'readMany'>
  totals: RecipientsRepository['totals']
  /** Templates sent one by one between two moments. */
  countSingles: (scope: WorkspaceScope, times: { from: Date; to: Date }) => Promise<number>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  now?: () => Date
}) {
  /** @param at in which period; absent: the one that runs. */
  async function usage(scope: WorkspaceScope, at = now()): Promise<Usage> {
    const allowance = await allowanceAt(scope, at)
    await settleEnded(scope, allowance.period)
    const [others, record] = await Promise.all([othersOf(scope, allowance), periods.read(scope, allowance.period)])
    return usageOf(allowance, others, record)
  }

  const othersOf = async (scope: WorkspaceScope, { usedBefore, starts: from, ends: to }: Allowance): Promise<number> =>
    usedBefore + (await countSingles(scope, { from, to }))

  /**
   * For the transaction that launches a campaign.
   * @param n credits that it needs. @param before messages of it that were sent already, and are not counted.
   * @returns what is stored with the campaign, and what takes it from the period: throws `quota_exceeded` without room.
   */
  async function prepare(scope: WorkspaceScope, n: number, before = 0) {
    const allowance = await allowanceAt(scope, now())
    const { period, limit, ended, limited } = allowance
    await periods.make(scope, period)
    await settleEnded(scope, period)
    const others = await othersOf(scope, allowance)
    const room = !limited ? Number.MAX_SAFE_INTEGER : ended ? 0 : limit - others
    const take = async (campaignId: string, tx: Tx): Promise<void> => {
      if (await periods.hold(scope, { period, campaignId, n, room }, tx)) return
      const left = usageOf(allowance, others, await periods.read(scope, period, tx))
      throw new AppError('quota_exceeded', quotaProblem(left, n) ?? 'The credits of the plan are used up.')
    }
    const hold: Hold = { period, n, before }
    return { hold, take }
  }

  /** In the transaction that counts a campaign's rows. */
  async function settle(scope: WorkspaceScope, campaignId: string, tallies: Tallies, tx: Tx): Promise<void> {
    const campaign = await campaigns.read(scope, campaignId, tx)
    const share = campaign && shareOf(campaign, tallies, now())
    if (campaign?.hold && share) await periods.settle(scope, { ...campaign.hold, campaignId, ...share }, tx)
  }

  /** By what was counted last: of a campaign that was cancelled just now. */
  async function settleCounted(scope: WorkspaceScope, campaignId: string): Promise<void> {
    const tallies = (await totals(scope, [campaignId])).get(campaignId) ?? {}
    await transaction((tx) => settle(scope, campaignId, tallies, tx))
  }

  /** What has ended with recipients who are uncertain holds them for some days, and nobody counts it any more by itself. */
  async function settleEnded(scope: WorkspaceScope, period: string): Promise<void> {
    const { holds = {} } = (await periods.read(scope, period)) ?? {}
    const held = Object.keys(holds).filter((id) => holds[id] !== 0)
    const found = new Map((await campaigns.readMany(scope, held)).map((campaign) => [campaign.id, campaign]))
    for (const campaignId of held) {
      const campaign = found.get(campaignId)
      // Removed with the sample data.
      if (!campaign) await transaction((tx) => periods.settle(scope, { period, campaignId, held: 0, used: 0 }, tx))
      else if (campaign.status === 'completed' || campaign.status === 'cancelled')
        await settleCounted(scope, campaignId)
    }
  }

  /** Gives back what a campaign holds that has sent nothing. */
  const giveBack = async ({ workspaceId, id: campaignId, hold }: CampaignRecord, tx: Tx): Promise<void> => {
    if (hold) await periods.settle({ workspaceId }, { ...hold, campaignId, held: 0, used: 0 }, tx)
  }

  return { usage, prepare, settle, settleCounted, giveBack, setPlan: periods.setPlan }
}

const sum = (amounts: Readonly<Record<string, number>> = {}) =>
  Object.values(amounts).reduce((total, each) => total + each, 0)

function usageOf(allowance: Allowance, others: number, record: UsagePeriodRecord | null): Usage {
  const { plan, from, to, limit, renews, ended, limited } = allowance
  const [used, held] = [others + sum(record?.used), sum(record?.holds)]
  const left = ended ? 0 : Math.max(0, limit - used - held)
  return { plan, from, to, limit, used, held, left, renews, ended, limited }
}
