import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function contactJobsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { contactJobs } = services
  mount(scope, contactJobsApi.list, async ({ ctx }) => ({ items: await contactJobs.list(ctx) }))
  mount(scope, contactJobsApi.export, ({ ctx, body }) => contactJobs.startExport(ctx, body))
  mount(scope, contactJobsApi.change, ({ ctx, body }) => contactJobs.startChange(ctx, body))
  mount(scope, contactJobsApi.renameTag, ({ ctx, body }) => contactJobs.startRename(ctx, body))
  mount(scope, contactJobsApi.undo, ({ ctx, params }) => contactJobs.startUndo(ctx, params.id))
  mount(scope, contactJobsApi.exportPerson, ({ ctx, params }) => contactJobs.startPersonExport(ctx, params.id))
  mount(scope, contactJobsApi.erase, ({ ctx, params, body }) => contactJobs.startErase(ctx, params.id, body.name))
  mount(scope, contactJobsApi.cancel, ({ ctx, params }) => contactJobs.cancel(ctx, params.id))
  mount(scope, contactJobsApi.download, ({ ctx, params }) => contactJobs.download(ctx, params.id))
}
