import { membersApi } from '@parley/contracts/account/members'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { scopeOf } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function membersRoutes(
  scope: FastifyInstance,
  { services: { members, activity, deletePerson } }: { services: Services },
): Promise<void> {
  mount(scope, membersApi.list, ({ ctx, query }) => members.list(ctx, query))
  mount(scope, membersApi.read, ({ ctx, params }) => members.read(ctx, params.id))
  mount(scope, membersApi.change, ({ ctx, params, body }) => members.change(ctx, params.id, body))
  mount(scope, membersApi.remove, ({ ctx, params }) => members.remove(ctx, params.id))
  mount(scope, membersApi.leave, ({ ctx }) => members.leave(ctx))
  mount(scope, membersApi.transfer, ({ ctx, params }) => members.transfer(ctx, params.id))
  mount(scope, profileInternalApi.membersSeen, ({ body: { items } }) =>
    activity.note(items.map(({ at, ...seen }) => ({ ...seen, at: new Date(at) }))),
  )
  mount(scope, profileInternalApi.deletePerson, ({ body }) => deletePerson(body))
  mount(scope, profileInternalApi.people, ({ ctx }) => members.countPeople(scopeOf(ctx)))
  mount(scope, profileInternalApi.members, async ({ ctx, query: { ids = [] } }) => ({
    items: await members.facts(ctx, ids),
  }))
}
