import { automationSettingsApi } from '@parley/contracts/automation/bot-settings'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function settingsRoutes(
  scope: FastifyInstance,
  { services: { settings, telling } }: FeatureOptions,
): Promise<void> {
  mount(scope, automationSettingsApi.read, ({ ctx }) => settings.read(ctx))
  mount(scope, automationSettingsApi.update, async ({ ctx, body }) => {
    const changed = await settings.update(ctx, body)
    if (body.returnHours !== undefined) await telling.tellSettings(ctx)
    return changed
  })
}
