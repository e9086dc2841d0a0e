import { settingsApi } from '@parley/contracts/account/settings'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function notificationsRoutes(
  scope: FastifyInstance,
  { services: { notifications, notificationSettings } }: FeatureOptions,
): Promise<void> {
  mount(scope, notificationsApi.list, ({ ctx, query }) => notifications.list(ctx, query))
  mount(scope, notificationsApi.markRead, ({ ctx, body }) => notifications.markRead(ctx, body))
  mount(scope, settingsApi.read, ({ ctx }) => notificationSettings.read(ctx))
  mount(scope, settingsApi.updateNotifications, ({ ctx, body }) => notificationSettings.update(ctx, body))
}
