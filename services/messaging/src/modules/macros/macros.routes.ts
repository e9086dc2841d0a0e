import { macrosApi } from '@parley/contracts/inbox/macros'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function macrosRoutes(
  scope: FastifyInstance,
  { services: { macros, macroRuns } }: FeatureOptions,
): Promise<void> {
  mount(scope, macrosApi.list, async ({ ctx }) => ({ items: await macros.list(ctx) }))
  mount(scope, macrosApi.create, ({ ctx, body }) => macros.create(ctx, body))
  mount(scope, macrosApi.update, ({ ctx, params, body }) => macros.update(ctx, params.id, body))
  mount(scope, macrosApi.remove, ({ ctx, params }) => macros.remove(ctx, params.id))
  mount(scope, macrosApi.run, ({ ctx, params, body }) => macroRuns.run(ctx, params.id, body))
}
