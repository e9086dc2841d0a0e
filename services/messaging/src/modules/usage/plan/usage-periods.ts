import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { maxUsagePeriods, type Usage, type UsagePeriod } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { priceOfPlan } from './allowance.ts'
import { planBefore } from './past-plans.ts'
import type { Quota } from './quota.service.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

const dayMs = 86_400_000

interface Dependencies {
  readonly quota: Pick<Quota, 'usage'>
  readonly periods: Pick<UsagePeriodsRepository, 'plan'>
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  readonly now?: Clock
}

/** Creates the list of the periods of a workspace, the running one first, with what was used in each, and its plan. */
export const createUsagePeriods =
  ({ quota, periods, readHours, now = () => new Date() }: Dependencies) =>
  async (scope: WorkspaceScope): Promise<{ items: UsagePeriod[] }> => {
    const [record, { zone }] = await Promise.all([periods.plan(scope), readHours(scope)])
    /** Plans are read at the end of a period: a larger one counts for the whole period in which it was chosen. */
    function planOfPeriod({ plan, planId, price, endsAt }: Usage, isRunning: boolean): UsagePeriod['plan'] {
      // The plan of the sample data is the same in each of its periods.
      if (isRunning || planId === undefined) return { name: plan, price }
      const past = planBefore(scope, record, { zone, moment: new Date(endsAt) })
      return past ? priceOfPlan(past) : null
    }
    const items: UsagePeriod[] = []
    let at = now()
    while (items.length < maxUsagePeriods) {
      const found = await quota.usage(scope, at)
      const { from, to, credits, messages } = found
      const last = items.at(-1)
      // Before the first period there is none.
      if (last && from >= last.from) break
      const plan = planOfPeriod(found, items.length === 0)
      items.push({ from, to, credits: credits.used, messages: messages.used, plan })
      // Noon of the day before, in whichever zone.
      at = new Date(Date.parse(from) - dayMs / 2)
    }
    return { items }
  }
