import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { isId } from '@parley/service-kit/data/plain'
import { scopeOf } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

/** Routes for bots and workflows, each call about the workspace that its token names. */
export default async function automationRoutes(
  scope: FastifyInstance,
  { services, showTyping }: FeatureOptions,
): Promise<void> {
  const { feed, automationFacts, closings } = services
  mount(scope, messagingInternalApi.due, async ({ query: { lane } }) => {
    const [due, closed] = await Promise.all([feed.due(lane), closings.ids()])
    return { workspaceIds: due.filter((workspaceId) => !closed.has(workspaceId)) }
  })
  mount(scope, messagingInternalApi.closed, async () => ({ workspaceIds: [...(await closings.ids())] }))
  mount(scope, messagingInternalApi.events, ({ ctx, query }) => feed.list(scopeOf(ctx).workspaceId, query))
  mount(scope, messagingInternalApi.history, ({ ctx, query }) =>
    feed.history(scopeOf(ctx).workspaceId, new Date(query.since)),
  )
  mount(scope, messagingInternalApi.read, async ({ ctx, body: { upTo, passed } }) => {
    const of = scopeOf(ctx)
    await services.assignment.releaseToAssignment(of, passed.filter(isId))
    await feed.read(of.workspaceId, upTo)
  })
  mount(scope, messagingInternalApi.actions, async ({ ctx, body }) => {
    const of = scopeOf(ctx)
    const { answer, typingIn } = await services.automationActions.act(of, body)
    // The call does not wait for the platform, and nothing depends on it.
    if (typingIn)
      showTyping(of, typingIn).catch((err: unknown) =>
        scope.log.debug({ err }, 'the customer was not shown the typing'),
      )
    return answer
  })
  mount(scope, messagingInternalApi.automationState, ({ ctx, body }) => services.setAutomationState(scopeOf(ctx), body))
  mount(scope, messagingInternalApi.botFailures, ({ ctx, body }) =>
    services.notifications.tellBotFailure(scopeOf(ctx), body),
  )
  mount(scope, messagingInternalApi.text, ({ ctx, params }) => automationFacts.textOf(scopeOf(ctx), params.id))
  mount(scope, messagingInternalApi.eventsOf, ({ ctx, body }) => automationFacts.eventsOf(scopeOf(ctx), body.ids))
  mount(scope, messagingInternalApi.contacts, async ({ ctx, body }) => {
    const of = scopeOf(ctx)
    // A workspace that is being deleted stands still: nothing starts there.
    return (await closings.ids()).has(of.workspaceId)
      ? { ids: [], items: [] }
      : services.automationContacts(of, body.of)
  })
  mount(scope, messagingInternalApi.lookups, ({ ctx, body }) => automationFacts.lookUp(scopeOf(ctx), body))
}
