import { membersApi } from '@parley/contracts/account/members'
import { profileInternalApi } from '@parley/contracts/account/profile'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function membersRoutes(
  scope: FastifyInstance,
  { services }: { services: Services },
): Promise<void> {
  mount(scope, membersApi.list, ({ ctx, query }) => services.members.list(ctx, query))
  mount(scope, profileInternalApi.members, async ({ ctx, query: { ids = [] } }) => ({
    items: await services.members.facts(ctx, ids),
  }))
}
