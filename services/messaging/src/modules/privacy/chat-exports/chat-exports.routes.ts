import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function chatExportsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { chatExports } = services
  mount(scope, contactJobsApi.exportChat, ({ ctx, params, body }) => chatExports.start(ctx, params.id, body))
  mount(scope, contactJobsApi.chatExports, async ({ ctx, params }) => ({
    items: await chatExports.list(ctx, params.id),
  }))
}
