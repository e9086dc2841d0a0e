import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { plans } from '@parley/contracts/usage/plans'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Allowance } from './allowance.ts'

/** Member limit of a plan that cannot be chosen, that of the sample data: the highest of all. */
const maxTeamMembers = Math.max(...plans.map(({ teamMembers }) => teamMembers))

/** Tells another service what the plan of a workspace allows beside messages. */
export const createPlanLimits =
  (
    allowanceAt: (scope: WorkspaceScope, at: Date) => Promise<Pick<Allowance, 'planId' | 'limited' | 'ended'>>,
    now: () => Date = () => new Date(),
  ) =>
  async (scope: WorkspaceScope): Promise<EndpointResponse<typeof planLimitsApi.read>> => {
    const { planId, limited, ended } = await allowanceAt(scope, now())
    const teamMembers = plans.find(({ id }) => id === planId)?.teamMembers ?? maxTeamMembers
    return { ...(limited && { teamMembers }), ended }
  }
