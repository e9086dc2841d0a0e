import { flowJobsApi } from '@parley/contracts/automation/flow-jobs'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function flowJobsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { flowJobs } = services
  mount(scope, flowJobsApi.list, async ({ ctx, params }) => ({ items: await flowJobs.list(ctx, params.id) }))
  mount(scope, flowJobsApi.start, ({ ctx, params, body }) => flowJobs.start(ctx, params.id, body.action))
  mount(scope, flowJobsApi.read, ({ ctx, params }) => flowJobs.read(ctx, params.id))
  mount(scope, flowJobsApi.bulk, ({ ctx, params, body }) => flowJobs.change(ctx, params.id, body))
  mount(scope, flowJobsApi.cancel, ({ ctx, params }) => flowJobs.cancel(ctx, params.id))
}
