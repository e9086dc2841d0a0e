import { botsApi } from '@parley/contracts/automation/bots'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function botsRoutes(
  scope: FastifyInstance,
  { services: { bots } }: FeatureOptions,
): Promise<void> {
  mount(scope, botsApi.list, ({ ctx, query }) => bots.list(ctx, query))
  mount(scope, botsApi.read, ({ ctx, params }) => bots.read(ctx, params.id))
  mount(scope, botsApi.create, ({ ctx, body }) => bots.create(ctx, body))
  mount(scope, botsApi.duplicate, ({ ctx, params, body }) => bots.duplicate(ctx, params.id, body.name))
  mount(scope, botsApi.update, ({ ctx, params, body }) => bots.update(ctx, params.id, body))
  mount(scope, botsApi.check, ({ ctx, params, body }) => bots.check(ctx, params.id, body))
  mount(scope, botsApi.publish, async ({ ctx, params, body }) => {
    const { shown: bot, ...published } = await bots.publish(ctx, params.id, body)
    return { bot, ...published }
  })
  mount(scope, botsApi.start, ({ ctx, params }) => bots.start(ctx, params.id))
  mount(scope, botsApi.pause, ({ ctx, params, body }) => bots.pause(ctx, params.id, body.running))
  mount(scope, botsApi.remove, ({ ctx, params }) => bots.remove(ctx, params.id))
  mount(scope, botsApi.restore, ({ ctx, params }) => bots.restore(ctx, params.id))
  mount(scope, botsApi.versions, ({ ctx, params, query }) => bots.versions(ctx, params.id, query))
  mount(scope, botsApi.version, ({ ctx, params }) => bots.version(ctx, params.id, params.number))
  mount(scope, botsApi.restoreVersion, async ({ ctx, params, body }) => {
    const { shown: bot, ...published } = await bots.publish(ctx, params.id, body, params.number)
    return { bot, ...published }
  })
  mount(scope, botsApi.tests, ({ ctx, params }) => bots.tests(ctx, params.id))
  mount(scope, botsApi.test, ({ ctx, params }) => bots.test(ctx, params.id, params.testId))
  mount(scope, botsApi.createTest, ({ ctx, params, body }) => bots.createTest(ctx, params.id, body))
  mount(scope, botsApi.updateTest, ({ ctx, params, body }) => bots.updateTest(ctx, params, body))
  mount(scope, botsApi.removeTest, ({ ctx, params }) => bots.removeTest(ctx, params.id, params.testId))
  mount(scope, botsApi.runTests, ({ ctx, params, body }) => bots.runTests(ctx, params.id, body.draft))
}
