import { can } from '@parley/contracts/account/permissions'
import { contactTimelineApi } from '@parley/contracts/contacts/contact-timeline'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function timelineRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  mount(scope, contactTimelineApi.read, ({ ctx, params, query }) =>
    services.timeline(ctx, params.id, { ...query, may: (permission) => can(ctx.role, permission) }),
  )
}
