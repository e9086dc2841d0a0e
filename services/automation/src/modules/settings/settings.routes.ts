import { botsLiveApi } from '@parley/contracts/automation/bot-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function settingsRoutes(
  scope: FastifyInstance,
  { services: { settings } }: FeatureOptions,
): Promise<void> {
  mount(scope, botsLiveApi.settings, ({ ctx }) => settings.read(ctx))
  mount(scope, botsLiveApi.updateSettings, ({ ctx, body }) => settings.update(ctx, body))
}
