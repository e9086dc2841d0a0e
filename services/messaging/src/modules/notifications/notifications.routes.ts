import { settingsApi } from '@parley/contracts/account/settings'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function notificationsRoutes(
  scope: FastifyInstance,
  { services: { notifications, notificationSettings, inbox } }: FeatureOptions,
): Promise<void> {
  mount(scope, notificationsApi.list, async ({ ctx, query }) => {
    const page = await notifications.list(ctx, query)
    if (ctx.viewer === undefined) return page
    // A conversation that somebody else has by now is named no more.
    const named = page.items.flatMap(({ object }) => (object?.kind === 'conversation' ? object.id : []))
    const visible = new Set(await inbox.visibleOf(ctx, named))
    return {
      ...page,
      items: page.items.filter(({ object }) => object?.kind !== 'conversation' || visible.has(object.id)),
    }
  })
  mount(scope, notificationsApi.markRead, ({ ctx, body }) => notifications.markRead(ctx, body))
  mount(scope, settingsApi.read, ({ ctx }) => notificationSettings.read(ctx))
  mount(scope, settingsApi.updateNotifications, ({ ctx, body }) => notificationSettings.update(ctx, body))
}
