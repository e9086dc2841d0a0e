import { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { billingApi, usageApi } from '@parley/contracts/usage/usage'
import { errors } from '@parley/service-kit/core/errors'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function usageRoutes(
  scope: FastifyInstance,
  { services: { quota, usageDays, usagePeriods, choosePlan, planLimits } }: FeatureOptions,
): Promise<void> {
  mount(scope, usageApi.read, ({ ctx, query }) =>
    quota.usage(ctx, query.at === undefined ? undefined : new Date(query.at)),
  )
  mount(scope, usageApi.days, ({ ctx }) => usageDays(ctx))
  mount(scope, planLimitsApi.read, async ({ ctx: { workspaceId } }) => {
    if (workspaceId === undefined) throw errors.forbidden('The token of this call names no workspace.')
    const { numbers: _, ...limits } = await planLimits({ workspaceId })
    return limits
  })
  mount(scope, billingApi.periods, ({ ctx }) => usagePeriods(ctx))
  mount(scope, billingApi.choosePlan, ({ ctx, body }) => choosePlan.choose(ctx, body.plan))
  mount(scope, billingApi.keepPlan, ({ ctx }) => choosePlan.keep(ctx))
}
