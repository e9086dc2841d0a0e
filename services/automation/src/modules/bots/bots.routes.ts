import { botsLiveApi } from '@parley/contracts/automation/bot-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function botsRoutes(
  scope: FastifyInstance,
  { services: { bots } }: FeatureOptions,
): Promise<void> {
  mount(scope, botsLiveApi.list, ({ ctx, query }) => bots.list(ctx, query))
  mount(scope, botsLiveApi.read, ({ ctx, params }) => bots.read(ctx, params.id))
  mount(scope, botsLiveApi.create, ({ ctx, body }) => bots.create(ctx, body))
  mount(scope, botsLiveApi.duplicate, ({ ctx, params, body }) => bots.duplicate(ctx, params.id, body.name))
  mount(scope, botsLiveApi.update, ({ ctx, params, body }) => bots.update(ctx, params.id, body))
  mount(scope, botsLiveApi.check, ({ ctx, params, body }) => bots.check(ctx, params.id, body.draft))
  mount(scope, botsLiveApi.publish, ({ ctx, params, body }) => bots.publish(ctx, params.id, body))
  mount(scope, botsLiveApi.start, ({ ctx, params }) => bots.start(ctx, params.id))
  mount(scope, botsLiveApi.pause, ({ ctx, params, body }) => bots.pause(ctx, params.id, body.running))
  mount(scope, botsLiveApi.remove, ({ ctx, params }) => bots.remove(ctx, params.id))
  mount(scope, botsLiveApi.restore, ({ ctx, params }) => bots.restore(ctx, params.id))
  mount(scope, botsLiveApi.versions, ({ ctx, params, query }) => bots.versions(ctx, params.id, query))
  mount(scope, botsLiveApi.version, ({ ctx, params }) => bots.version(ctx, params.id, params.number))
}
