import { mediaApi } from '@parley/contracts/channel/media'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function mediaRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { media } = services
  mount(scope, mediaApi.upload, ({ ctx, body, query }) => media.upload(ctx, body, query.as))
  mount(scope, mediaApi.read, ({ ctx, params, query }) => media.read(ctx, params.id, query.download))
  mount(scope, mediaApi.thumbnail, ({ ctx, params }) => media.thumbnail(ctx, params.id))
}
