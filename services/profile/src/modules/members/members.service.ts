import type { Member, membersApi } from '@parley/contracts/account/members'
import type { MemberFacts } from '@parley/contracts/account/profile'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { defaultPageSize, type PageOf } from '@parley/contracts/core/records'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceContext, UserContext } from '@parley/service-kit/http/context'
import type { ProfileService } from '../profile/profile.service.ts'
import { isActive, type WorkspacesService } from '../workspaces/workspaces.service.ts'

type Query = EndpointInput<typeof membersApi.list>['query']

/** The people of a workspace. */
export function createMembersService({
  workspaces,
  personOf,
}: {
  workspaces: Pick<WorkspacesService, 'isMember' | 'activeMembers' | 'membersAmong'>
  personOf: ProfileService['personOf']
}) {
  /** Members by name; `q` finds a part of name or mail address. @throws `not_found` for a caller who is none. */
  async function list(ctx: UserContext, { q = '', limit = defaultPageSize, cursor }: Query): Promise<PageOf<Member>> {
    if (!(await workspaces.isMember(ctx))) throw errors.notFound('There is no such user in this workspace.')
    const members = await Promise.all((await workspaces.activeMembers(ctx)).map(toMember))
    const wanted = q.toLowerCase()
    const found = members
      .filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
      .sort((left, right) => left.name.localeCompare(right.name) || (left.id < right.id ? -1 : 1))
    const start = startOf(found, cursor)
    const items = found.slice(start, start + limit)
    const [first, last] = [items[0], items.at(-1)]
    return {
      items,
      nextCursor: last && start + limit < found.length ? `>${last.id}` : null,
      previousCursor: first && start > 0 ? `>${found[start - limit - 1]?.id ?? ''}` : null,
      total: found.length,
    }
  }

  async function toMember(record: Awaited<ReturnType<typeof workspaces.activeMembers>>[number]): Promise<Member> {
    const { id, userId, role, version, createdAt, updatedAt } = record
    return {
      id,
      userId,
      role,
      status: 'active',
      version,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ...(await personOf(userId)),
    }
  }

  /**
   * Returns what another process may know of users of the workspace that its token names, including those whose membership has
   * ended.
   * @throws `forbidden` for a token that names none.
   */
  async function facts({ workspaceId }: ServiceContext, userIds: readonly string[]): Promise<MemberFacts[]> {
    if (workspaceId === undefined) throw errors.forbidden('The token names no workspace.')
    const found = await workspaces.membersAmong({ workspaceId }, userIds)
    return Promise.all(
      found.map(async (record) => {
        const { name, email } = await personOf(record.userId)
        return { id: record.userId, name, ...(email && { email }), role: record.role, active: isActive(record) }
      }),
    )
  }

  return { list, facts }
}

/** Returns the start of a page: after the member that the cursor names, 0 for the first page. */
function startOf(members: readonly Member[], cursor: string | undefined): number {
  const after = cursor === undefined || cursor === '>' ? undefined : cursor.slice(1)
  const index = after === undefined ? -1 : members.findIndex(({ id }) => id === after)
  if (after !== undefined && index === -1)
    throw errors.validation({ cursor: 'This page is of another list. Begin with the first page.' })
  return index + 1
}
