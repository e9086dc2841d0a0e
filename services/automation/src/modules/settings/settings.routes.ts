import { botsApi } from '@parley/contracts/automation/bots'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function settingsRoutes(
  scope: FastifyInstance,
  { services: { settings } }: FeatureOptions,
): Promise<void> {
  mount(scope, botsApi.settings, ({ ctx }) => settings.read(ctx))
  mount(scope, botsApi.updateSettings, ({ ctx, body }) => settings.update(ctx, body))
}
