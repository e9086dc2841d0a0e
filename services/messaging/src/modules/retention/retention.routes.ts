import { messageRetentionApi } from '@parley/contracts/inbox/message-retention'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function retentionRoutes(
  scope: FastifyInstance,
  { services: { messageRetention } }: FeatureOptions,
): Promise<void> {
  mount(scope, messageRetentionApi.read, ({ ctx }) => messageRetention.read(ctx))
  mount(scope, messageRetentionApi.preview, ({ ctx, query }) => messageRetention.preview(ctx, query))
  mount(scope, messageRetentionApi.update, ({ ctx, body }) => messageRetention.update(ctx, body))
}
