import { inboxApi } from '@parley/contracts/platform/service-messages'
import { errors } from '@parley/service-kit/core/errors'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function departuresRoutes(
  scope: FastifyInstance,
  { services: { departures } }: FeatureOptions,
): Promise<void> {
  mount(scope, inboxApi.receive, ({ ctx: { workspaceId }, body }) => {
    if (workspaceId === undefined) throw errors.forbidden('The token of this call names no workspace.')
    return departures.receive({ workspaceId }, body.messages)
  })
}
