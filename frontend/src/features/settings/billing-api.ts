import type { Plan } from '@parley/contracts/usage/plans'
import { billingApi, type Usage } from '@parley/contracts/usage/usage'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { usageOptions } from '../../lib/choices/usage.ts'
import { explain } from '../../lib/explain.ts'
import { usageKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { toast } from '../../ui/toast.ts'

/** Returns whether the signed-in person chooses the plan here. */
export function useMayChoose({ choosable }: Pick<Usage, 'choosable'>): boolean {
  const isRefused = useIsRefused('billing:change')
  return choosable && !isRefused
}

/** Puts the workspace on a plan, or has a smaller one follow. */
export function useChoosePlan() {
  const show = useShownUsage()
  return useChange({
    scope: 'plan',
    run: (plan: Plan['id'], intent) => call(billingApi.choosePlan, { body: { plan }, ...intent }),
    onSuccess: (usage) => {
      const { next, plan } = usage
      toast.success(next ? `${next.plan} starts when this period ends.` : `This workspace is on ${plan} now.`)
      return show(usage)
    },
    onError: (error) => toast.error(explain(error, 'The plan could not be changed. Try again.')),
  })
}

/** Takes back that a smaller plan follows. */
export function useKeepPlan() {
  const show = useShownUsage()
  return useChange<void, Usage>({
    scope: 'plan',
    run: (_, intent) => call(billingApi.keepPlan, intent),
    onSuccess: (usage) => {
      toast.success(`You stay on ${usage.plan}.`)
      return show(usage)
    },
    onError: (error) => toast.error(explain(error, 'The plan could not be changed. Try again.')),
  })
}

/** Shows the response's usage at once; refetches what else depends on the plan. */
function useShownUsage() {
  const client = useQueryClient()
  return (usage: Usage) => {
    client.setQueryData(usageOptions().queryKey, usage)
    return client.invalidateQueries({ queryKey: usageKeys.all })
  }
}
