import { maxUsagePeriods, type UsagePeriod } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Quota } from './quota.service.ts'

const dayMs = 86_400_000

/** Creates the list of the periods of a workspace, the running one first, with what was used in each. */
export const createUsagePeriods =
  (usage: Quota['usage'], now: Clock = () => new Date()) =>
  async (scope: WorkspaceScope): Promise<{ items: UsagePeriod[] }> => {
    const items: UsagePeriod[] = []
    let at = now()
    while (items.length < maxUsagePeriods) {
      const { from, to, credits, messages } = await usage(scope, at)
      const last = items.at(-1)
      // Before the first period there is none.
      if (last && from >= last.from) break
      items.push({ from, to, credits: credits.used, messages: messages.used })
      // Noon of the day before, in whichever zone.
      at = new Date(Date.parse(from) - dayMs / 2)
    }
    return { items }
  }
