import { hooksApi } from '@parley/contracts/automation/hooks'
import { idempotencyKeyHeader } from '@parley/contracts/core/headers'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function hooksRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { hooks, receiveCall } = services
  const placeOf = ({ id, nodeId }: { id: string; nodeId: string }) => ({ flowId: id, nodeId })
  mount(scope, hooksApi.call, ({ params: { token }, body, headers }) => {
    const key = headers[idempotencyKeyHeader.toLowerCase()]
    return receiveCall({ token, body, idempotencyKey: typeof key === 'string' ? key : undefined })
  })
  mount(scope, hooksApi.list, ({ ctx, params }) => hooks.list(ctx, params.id))
  mount(scope, hooksApi.replace, ({ ctx, params }) => hooks.replace(ctx, placeOf(params)))
  mount(scope, hooksApi.revoke, ({ ctx, params }) => hooks.revoke(ctx, placeOf(params)))
  mount(scope, hooksApi.calls, ({ ctx, params }) => hooks.calls(ctx, placeOf(params)))
}
