import { consentApi } from '@parley/contracts/contacts/consent'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function consentRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { consent, consentSettings, consentDownload } = services
  mount(scope, consentApi.entries, ({ ctx, params, query }) => consent.page(ctx, params.id, query))
  mount(scope, consentApi.record, ({ ctx, params, body }) => consent.recordByMember(ctx, params.id, body))
  mount(scope, consentApi.settings, ({ ctx }) => consentSettings.read(ctx))
  mount(scope, consentApi.updateSettings, ({ ctx, body }) => consentSettings.update(ctx, body))
  mount(scope, consentApi.download, async ({ ctx, query }) => consentDownload(ctx, query))
}
