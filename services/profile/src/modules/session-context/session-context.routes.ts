import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function sessionContextRoutes(
  scope: FastifyInstance,
  { services }: { services: Services },
): Promise<void> {
  mount(scope, profileInternalApi.sessionContext, ({ body }) => services.sessionContext.open(body))
}
