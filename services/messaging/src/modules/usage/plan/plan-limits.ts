import { plans } from '@parley/contracts/usage/plans'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Allowance } from './allowance.ts'

/** Limits of a plan that cannot be chosen, that of the sample data: the highest of all. */
const highest = {
  numbers: Math.max(...plans.map(({ numbers }) => numbers)),
  teamMembers: Math.max(...plans.map(({ teamMembers }) => teamMembers)),
}

/** Limits of a workspace beside messages; absent ones are not enforced. */
export interface PlanLimits {
  readonly numbers?: number
  readonly teamMembers?: number
  /** The trial is over: nothing is added any more. */
  readonly ended: boolean
}

/** Tells what the plan of a workspace allows; where a smaller one follows, as much as both allow. */
export const createPlanLimits =
  (
    allowanceAt: (scope: WorkspaceScope, at: Date) => Promise<Pick<Allowance, 'planId' | 'next' | 'limited' | 'ended'>>,
    now: () => Date = () => new Date(),
  ) =>
  async (scope: WorkspaceScope): Promise<PlanLimits> => {
    const { planId, next, limited, ended } = await allowanceAt(scope, now())
    if (!limited) return { ended }
    const counted = [
      plans.find(({ id }) => id === planId) ?? highest,
      plans.find(({ name }) => name === next?.plan) ?? highest,
    ]
    return {
      numbers: Math.min(...counted.map(({ numbers }) => numbers)),
      teamMembers: Math.min(...counted.map(({ teamMembers }) => teamMembers)),
      ended,
    }
  }
