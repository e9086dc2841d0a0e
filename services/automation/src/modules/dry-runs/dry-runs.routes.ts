import { dryRunsApi } from '@parley/contracts/automation/dry-runs'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function dryRunsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { dryRuns } = services
  mount(scope, dryRunsApi.list, async ({ ctx, params }) => ({ items: await dryRuns.list(ctx, params.id) }))
  mount(scope, dryRunsApi.start, ({ ctx, params, body }) => dryRuns.start(ctx, params.id, body))
  mount(scope, dryRunsApi.cancel, ({ ctx, params }) => dryRuns.cancel(ctx, params.id))
}
