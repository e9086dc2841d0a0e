import { botsApi } from '@parley/contracts/automation/bots'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function runsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { attention } = services
  const { service: runs } = services.runs
  mount(scope, runsApi.ofBot, ({ ctx, params, query }) => runs.ofBot(ctx, params.id, query))
  mount(scope, runsApi.read, ({ ctx, params }) => runs.read(ctx, params.id))
  mount(scope, runsApi.cancel, ({ ctx, params }) => runs.cancel(ctx, params.id))
  mount(scope, runsApi.release, ({ ctx, params }) => runs.release(ctx, params.id))
  mount(scope, botsApi.startSession, ({ ctx, params, body }) => runs.start(ctx, params.id, body.conversationId))
  mount(scope, runsApi.attention, ({ ctx, query }) => attention.list(ctx, query))
  mount(scope, runsApi.dismiss, ({ ctx, body }) => attention.dismiss(ctx, body))
}
