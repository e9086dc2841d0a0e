import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function conversationsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  mount(scope, conversationsApi.list, ({ ctx, query }) => services.inbox.list(ctx, query))
  mount(scope, inboxSummaryApi.read, ({ ctx }) => services.inbox.summary(ctx))
  mount(scope, conversationsApi.read, async ({ ctx, params }) => {
    await services.inbox.requireReach(ctx, params.id)
    return services.conversations.show(ctx, params.id)
  })
  mount(scope, conversationsApi.history, async ({ ctx, params }) => {
    await services.inbox.requireReach(ctx, params.id)
    return services.conversationHistory(ctx, params.id)
  })
  mount(scope, conversationsApi.open, ({ ctx, body }) => services.inbox.open(ctx, body))
  mount(scope, conversationsApi.update, async ({ ctx, params, body }) => {
    await services.inbox.requireReach(ctx, params.id)
    return services.changes.update(ctx, params.id, body)
  })
}
