import { viewsApi } from '@parley/contracts/inbox/views'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function viewsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { views } = services
  mount(scope, viewsApi.list, async ({ ctx, query }) => ({ items: await views.list(ctx, query.screen) }))
  mount(scope, viewsApi.create, ({ ctx, body }) => views.create(ctx, body))
  mount(scope, viewsApi.update, ({ ctx, params, body }) => views.update(ctx, params.id, body))
  mount(scope, viewsApi.remove, ({ ctx, params }) => views.remove(ctx, params.id))
}
