import { botsApi } from '@parley/contracts/automation/bots'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { workflowsApi } from '@parley/contracts/automation/workflows'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { UserContext } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'
import { noSession, type RunQuery } from './runs.service.ts'

type CountsQuery = EndpointInput<typeof botsApi.counts>['query']

export default async function runsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { attention, visibility } = services
  const { service: runs } = services.runs
  /** @throws `not_found` for the run of a conversation that the caller does not see. */
  async function requireSeen(ctx: UserContext, id: string) {
    const found = await runs.read(ctx, id)
    if (!(await isSeen(ctx, found.run.conversationId))) throw noSession()
    return found
  }
  /** Returns whether the caller sees a conversation; a session that has none yet, whether they see all. */
  async function isSeen(ctx: UserContext, id: string | undefined): Promise<boolean> {
    const seen = await visibility(ctx)(async () => [id])
    return seen === undefined || (id !== undefined && seen.includes(id))
  }
  /** Lists runs in conversations that the caller sees. */
  const listSeen = (ctx: UserContext, flow: Parameters<typeof runs.ofFlow>[1], query: RunQuery) =>
    runs.ofFlow(ctx, flow, query, visibility(ctx))
  mount(scope, runsApi.ofBot, ({ ctx, params, query }) => listSeen(ctx, { kind: 'bot', id: params.id }, query))
  mount(scope, runsApi.ofWorkflow, ({ ctx, params, query }) =>
    listSeen(ctx, { kind: 'workflow', id: params.id }, query),
  )
  const counts =
    (kind: FlowKind) =>
    async ({ ctx, params, query }: { ctx: UserContext; params: { id: string }; query: CountsQuery }) => {
      await services.runs.requireFlow(ctx, kind, params.id)
      return services.runs.countsOf(ctx, params.id, query)
    }
  mount(scope, botsApi.counts, counts('bot'))
  mount(scope, workflowsApi.counts, counts('workflow'))
  mount(scope, botsApi.replay, ({ ctx, params, body }) =>
    services.runs.replay(ctx, { kind: 'bot', id: params.id }, body),
  )
  mount(scope, workflowsApi.replay, ({ ctx, params, body }) =>
    services.runs.replay(ctx, { kind: 'workflow', id: params.id }, body),
  )
  mount(scope, runsApi.read, ({ ctx, params }) => requireSeen(ctx, params.id))
  mount(scope, runsApi.cancel, async ({ ctx, params }) => {
    await requireSeen(ctx, params.id)
    return runs.cancel(ctx, params.id)
  })
  mount(scope, runsApi.release, async ({ ctx, params }) => {
    await requireSeen(ctx, params.id)
    return runs.release(ctx, params.id)
  })
  mount(scope, runsApi.retry, async ({ ctx, params, body }) => {
    await requireSeen(ctx, params.id)
    return services.runs.retry(ctx, params.id, body)
  })
  mount(scope, botsApi.startSession, async ({ ctx, params, body: { conversationId } }) => {
    if (isId(conversationId) && !(await isSeen(ctx, conversationId)))
      throw errors.notFound('There is no such conversation.')
    return runs.start(ctx, params.id, conversationId)
  })
  mount(scope, runsApi.attention, ({ ctx, query }) => attention.list(ctx, query, visibility(ctx)))
  mount(scope, runsApi.dismiss, ({ ctx, body }) => attention.dismiss(ctx, body, visibility(ctx)))
}
