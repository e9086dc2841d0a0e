import { repliesApi } from '@parley/contracts/inbox/replies'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function repliesRoutes(
  scope: FastifyInstance,
  { services: { replies } }: FeatureOptions,
): Promise<void> {
  mount(scope, repliesApi.list, ({ ctx, query }) => replies.list(ctx, query))
  mount(scope, repliesApi.create, ({ ctx, body }) => replies.create(ctx, body))
  mount(scope, repliesApi.update, ({ ctx, params, body }) => replies.update(ctx, params.id, body))
  mount(scope, repliesApi.remove, ({ ctx, params }) => replies.remove(ctx, params.id))
}
