import { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { billingApi, usageApi } from '@parley/contracts/usage/usage'
import { scopeOf } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function usageRoutes(
  scope: FastifyInstance,
  { services: { quota, usageDays, usagePeriods, usageEntries, choosePlan } }: FeatureOptions,
): Promise<void> {
  mount(scope, usageApi.read, ({ ctx, query }) =>
    quota.usage(ctx, query.at === undefined ? undefined : new Date(query.at)),
  )
  mount(scope, usageApi.days, ({ ctx }) => usageDays(ctx))
  mount(scope, planLimitsApi.read, async ({ ctx }) => {
    const { numbers: _, ...limits } = await quota.planLimits(scopeOf(ctx))
    return limits
  })
  mount(scope, billingApi.periods, ({ ctx }) => usagePeriods(ctx))
  mount(scope, billingApi.entries, ({ ctx, query }) => usageEntries(ctx, query))
  mount(scope, billingApi.choosePlan, ({ ctx, body }) => choosePlan.choose(ctx, body.plan))
  mount(scope, billingApi.keepPlan, ({ ctx }) => choosePlan.keep(ctx))
}
