import { contactTimelineApi } from '@parley/contracts/contact-timeline'
import { can } from '@parley/contracts/permissions'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function timelineRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  mount(scope, contactTimelineApi.read, ({ ctx, params, query }) =>
    services.timeline(ctx, params.id, { ...query, may: (permission) => can(ctx.role, permission) }),
  )
}
