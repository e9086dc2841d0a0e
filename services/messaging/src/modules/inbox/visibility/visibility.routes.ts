import { visibilityApi, visibilityInternalApi } from '@parley/contracts/inbox/visibility'
import { scopeOf } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function visibilityRoutes(
  scope: FastifyInstance,
  { services: { visibility, inbox }, events }: FeatureOptions,
): Promise<void> {
  mount(scope, visibilityApi.read, ({ ctx }) => visibility.read(ctx))
  mount(scope, visibilityApi.update, async ({ ctx, body }) => {
    const changed = await visibility.update(ctx, body)
    // Pages of agents show what they have read before.
    await events.publishUnlogged(ctx.workspaceId, 'hidden', {})
    return changed
  })
  mount(scope, visibilityInternalApi.visible, async ({ ctx, body: { userId, role, conversationIds } }) => {
    const { workspaceId } = scopeOf(ctx)
    const viewer = await visibility.viewerOf({ workspaceId, userId, role })
    if (viewer === undefined) return { all: true, visible: conversationIds }
    return { all: false, visible: await inbox.visibleOf({ workspaceId, viewer }, conversationIds) }
  })
}
