import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function webhooksRoutes(
  scope: FastifyInstance,
  { services: { webhooks, deliveries, replays } }: FeatureOptions,
): Promise<void> {
  mount(scope, webhooksApi.list, ({ ctx, query }) => webhooks.list(ctx, query))
  mount(scope, webhooksApi.read, ({ ctx, params }) => webhooks.read(ctx, params.id))
  mount(scope, webhooksApi.create, ({ ctx, body }) => webhooks.create(ctx, body))
  mount(scope, webhooksApi.update, ({ ctx, params, body }) => webhooks.update(ctx, params.id, body))
  mount(scope, webhooksApi.remove, ({ ctx, params }) => webhooks.remove(ctx, params.id))
  mount(scope, webhooksApi.enable, ({ ctx, params }) => webhooks.enable(ctx, params.id))
  mount(scope, webhooksApi.rotateSecret, ({ ctx, params, body }) => webhooks.rotateSecret(ctx, params.id, body))
  mount(scope, webhooksApi.test, ({ ctx, params, body }) => deliveries.test(ctx, params.id, body.type))
  mount(scope, webhooksApi.deliveries, ({ ctx, params, query }) => deliveries.list(ctx, params.id, query))
  mount(scope, webhooksApi.delivery, ({ ctx, params }) => deliveries.read(ctx, params))
  mount(scope, webhooksApi.replay, ({ ctx, params }) => deliveries.replay(ctx, params))
  mount(scope, webhooksApi.replayRange, ({ ctx, params, body }) => replays.start(ctx, params.id, body))
  mount(scope, webhooksApi.replayJob, ({ ctx, params }) => replays.find(ctx, params.id, params.jobId))
  mount(scope, webhooksApi.cancelReplay, ({ ctx, params }) => replays.cancel(ctx, params.id, params.jobId))
}
