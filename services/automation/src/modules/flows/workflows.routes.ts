import { workflowsApi } from '@parley/contracts/automation/workflows'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function workflowsRoutes(
  scope: FastifyInstance,
  { services: { workflows } }: FeatureOptions,
): Promise<void> {
  mount(scope, workflowsApi.list, ({ ctx, query }) => workflows.list(ctx, query))
  mount(scope, workflowsApi.summary, ({ ctx }) => workflows.summary(ctx))
  mount(scope, workflowsApi.read, ({ ctx, params }) => workflows.read(ctx, params.id))
  mount(scope, workflowsApi.create, ({ ctx, body }) => workflows.create(ctx, body))
  mount(scope, workflowsApi.duplicate, ({ ctx, params, body }) => workflows.duplicate(ctx, params.id, body.name))
  mount(scope, workflowsApi.update, ({ ctx, params, body }) => workflows.update(ctx, params.id, body))
  mount(scope, workflowsApi.check, ({ ctx, params, body }) => workflows.check(ctx, params.id, body))
  mount(scope, workflowsApi.publish, async ({ ctx, params, body }) => {
    const { shown: workflow, ...published } = await workflows.publish(ctx, params.id, body)
    return { workflow, ...published }
  })
  mount(scope, workflowsApi.start, ({ ctx, params }) => workflows.start(ctx, params.id))
  mount(scope, workflowsApi.pause, ({ ctx, params, body }) => workflows.pause(ctx, params.id, body.running))
  mount(scope, workflowsApi.remove, ({ ctx, params }) => workflows.remove(ctx, params.id))
  mount(scope, workflowsApi.restore, ({ ctx, params }) => workflows.restore(ctx, params.id))
  mount(scope, workflowsApi.versions, ({ ctx, params, query }) => workflows.versions(ctx, params.id, query))
  mount(scope, workflowsApi.version, ({ ctx, params }) => workflows.version(ctx, params.id, params.number))
  mount(scope, workflowsApi.restoreVersion, async ({ ctx, params, body }) => {
    const { shown: workflow, ...published } = await workflows.publish(ctx, params.id, body, params.number)
    return { workflow, ...published }
  })
  mount(scope, workflowsApi.tests, ({ ctx, params }) => workflows.tests(ctx, params.id))
  mount(scope, workflowsApi.test, ({ ctx, params }) => workflows.test(ctx, params.id, params.testId))
  mount(scope, workflowsApi.createTest, ({ ctx, params, body }) => workflows.createTest(ctx, params.id, body))
  mount(scope, workflowsApi.updateTest, ({ ctx, params, body }) => workflows.updateTest(ctx, params, body))
  mount(scope, workflowsApi.removeTest, ({ ctx, params }) => workflows.removeTest(ctx, params.id, params.testId))
  mount(scope, workflowsApi.runTests, ({ ctx, params, body }) => workflows.runTests(ctx, params.id, body.draft))
}
