import type { Plan } from '@parley/contracts/usage/plans'
import type { Usage } from '@parley/contracts/usage/usage'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { createApplyPlan } from './apply-plan.ts'

/** Lets owners change their plan, where the operator of Parley allows it. */
export function createChoosePlan({
  applyPlan,
  keepPlan,
  usage,
  isChoosable,
}: ReturnType<typeof createApplyPlan> & {
  readonly usage: (scope: WorkspaceScope) => Promise<Usage>
  readonly isChoosable: boolean
}) {
  /** @throws `wrong_state`. */
  async function choose(scope: WorkspaceScope, plan: Plan['id']): Promise<Usage> {
    if (!isChoosable) throw errors.wrongState('Only Parley’s support can change the plan.')
    if (plan === 'free_trial') throw errors.wrongState('The free trial is only available to new workspaces.')
    if (plan === 'pro') throw errors.wrongState('Pro is arranged with our sales team. Nothing was changed.')
    await applyPlan(scope, { plan, source: 'owner' })
    return usage(scope)
  }

  async function keep(scope: WorkspaceScope): Promise<Usage> {
    await keepPlan(scope)
    return usage(scope)
  }

  return { choose, keep }
}
