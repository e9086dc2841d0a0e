import { usedPercent } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { AddNotifications } from '../../../platform/notification.ts'
import { quarterOf } from '../meter/count-usage.ts'
import type { UsageCountsRepository } from '../meter/usage-counts.repository.ts'
import type { UsageWatchesRepository } from '../meter/usage-watches.repository.ts'
import { type Allowance, type createAllowance, createdAt, type Meters } from './allowance.ts'
import { forecastOf, noticesOf, stepOf } from './notices.ts'
import type { Quota } from './quota.service.ts'
import type { ReadSenders } from './quota-hold.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

const dayMs = 86_400_000
const paceDays = 7

interface Dependencies {
  readonly allowanceAt: ReturnType<typeof createAllowance>
  readonly watches: UsageWatchesRepository
  readonly periods: Pick<UsagePeriodsRepository, 'read'>
  readonly holders: { readonly readMany: ReadSenders }
  readonly counts: Pick<UsageCountsRepository, 'between'>
  readonly quota: Pick<Quota, 'usage' | 'settleEnded'>
  readonly addNotifications: AddNotifications
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/**
 * Acts on what a workspace has used: what ended campaigns hold is given back, and members are notified when the plan is nearly
 * used up. A workspace is checked when something has changed; two workers at once come to the same.
 */
export function createUsageWatch(deps: Dependencies) {
  const { allowanceAt, watches, quota, addNotifications, transaction, now = () => new Date() } = deps

  async function perform({ workspaceId }: Pick<JobRecord, 'workspaceId'>): Promise<void> {
    const scope = { workspaceId }
    const watch = await watches.read(scope)
    if (!watch?.dueAt || watch.dueAt > now()) return
    const at = now()
    const allowance = await allowanceAt(scope, at)
    const next = await quota.settleEnded(scope, allowance.period)
    const usage = await quota.usage(scope, at)
    const forecast = forecastOf(usage, { perDay: await paceOf(scope, allowance, at), now: at, ends: allowance.ends })
    const notices = noticesOf(usage, allowance, { forecast, at })
    const step = stepOf(usedPercent(usage))
    const announced = `${allowance.period}/${step}`
    const reached = usage.ended ? ('ended' as const) : step
    await transaction(async (tx) => {
      await addNotifications(scope, notices, tx)
      // The pages of members show it from then on.
      if (announced !== watch.announced)
        tx.emit({ workspaceId, type: 'usage.changed', by: { kind: 'system' }, data: reached === 0 ? {} : { reached } })
      await watches.looked(scope, { changes: watch.changes, next, announced }, tx)
    })
  }

  /** Returns the recent usage per day; campaigns count on the day on which they began. */
  async function paceOf(scope: WorkspaceScope, allowance: Allowance, at: Date): Promise<Meters> {
    const from = new Date(at.getTime() - paceDays * dayMs)
    const days = Math.min(paceDays, Math.max(1, (at.getTime() - createdAt(scope).getTime()) / dayMs))
    const sent = await deps.counts.between(scope, { from: quarterOf(from), to: at })
    const before = await allowanceAt(scope, new Date(allowance.starts.getTime() - 1))
    const periods = new Set([allowance.period, before.period])
    const used = new Map<string, number>()
    for (const period of periods)
      for (const [id, count] of Object.entries((await deps.periods.read(scope, period))?.used ?? {}))
        used.set(id, count)
    const begun = await deps.holders.readMany(scope, [...used.keys()])
    const ofCampaigns = begun
      .filter(({ startedAt }) => startedAt !== undefined && startedAt >= from)
      .reduce((sum, { id }) => sum + (used.get(id) ?? 0), 0)
    return { credits: (sent.credits + ofCampaigns) / days, messages: (sent.messages + ofCampaigns) / days }
  }

  return {
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await watches.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}
