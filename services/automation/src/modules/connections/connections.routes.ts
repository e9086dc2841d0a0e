import { connectionsApi } from '@parley/contracts/automation/connections'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function connectionsRoutes(
  scope: FastifyInstance,
  { services: { connections } }: FeatureOptions,
): Promise<void> {
  mount(scope, connectionsApi.list, ({ ctx }) => connections.list(ctx))
  mount(scope, connectionsApi.read, ({ ctx, params }) => connections.read(ctx, params.id))
  mount(scope, connectionsApi.create, ({ ctx, body }) => connections.create(ctx, body))
  mount(scope, connectionsApi.update, ({ ctx, params, body }) => connections.update(ctx, params.id, body))
  mount(scope, connectionsApi.remove, ({ ctx, params }) => connections.remove(ctx, params.id))
  mount(scope, connectionsApi.test, ({ ctx, params, body }) => connections.test(ctx, params.id, body))
  mount(scope, connectionsApi.readTest, ({ ctx, params }) => connections.readTest(ctx, params.id, params.callId))
}
