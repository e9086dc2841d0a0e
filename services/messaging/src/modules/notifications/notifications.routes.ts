import { settingsApi } from '@parley/contracts/account/settings'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function notificationsRoutes(
  scope: FastifyInstance,
  { services: { notifications, notificationSettings, inbox } }: FeatureOptions,
): Promise<void> {
  const sightOf = (ctx: WorkspaceScope) =>
    ctx.viewer === undefined ? undefined : (ids: readonly string[]) => inbox.visibleOf(ctx, ids)
  mount(scope, notificationsApi.list, ({ ctx, query }) => notifications.list(ctx, query, sightOf(ctx)))
  mount(scope, notificationsApi.markRead, ({ ctx, body }) => notifications.markRead(ctx, body, sightOf(ctx)))
  mount(scope, settingsApi.read, ({ ctx }) => notificationSettings.read(ctx))
  mount(scope, settingsApi.updateNotifications, ({ ctx, body }) => notificationSettings.update(ctx, body))
}
