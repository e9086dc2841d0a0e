import { readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function readReceiptsRoutes(
  scope: FastifyInstance,
  { services: { readReceipts } }: FeatureOptions,
): Promise<void> {
  mount(scope, readReceiptsApi.read, ({ ctx }) => readReceipts.read(ctx))
  mount(scope, readReceiptsApi.update, ({ ctx, body }) => readReceipts.update(ctx, body))
}
