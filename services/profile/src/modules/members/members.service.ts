import type { Member, membersApi } from '@parley/contracts/account/members'
import { can, type Permission, type Role } from '@parley/contracts/account/permissions'
import { type MemberFacts, maxDeciders } from '@parley/contracts/account/profile-internal'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { defaultPageSize, type PageOf } from '@parley/contracts/core/records'
import { noteBefore } from '@parley/service-kit/core/call-context'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type ServiceContext, scopeOf, type UserContext } from '@parley/service-kit/http/context'
import type { ProfileService } from '../profile/profile.service.ts'
import { recordMember } from '../workspaces/record-member.ts'
import type { Seats } from '../workspaces/seats.ts'
import {
  isActive,
  type MemberRecord,
  type WorkspacesRepository,
  type WorkspacesService,
} from '../workspaces/workspaces.service.ts'
import type { EndMembership } from './end-membership.ts'
import type { MemberActivity } from './member-activity.model.ts'
import { checkStillMay, checkWithin } from './member-rules.ts'

type Query = EndpointInput<typeof membersApi.list>['query']

/** The people of a workspace. Every change is decided by the membership that the caller has when it is written. */
export function createMembersService({
  workspaces,
  records,
  seats,
  endMembership,
  transaction,
  personOf,
  activity,
}: {
  workspaces: Pick<WorkspacesService, 'isMember' | 'activeMembers' | 'membersAmong'>
  records: Pick<WorkspacesRepository, 'findMember' | 'memberOfId' | 'changeMember'>
  seats: Seats
  endMembership: EndMembership
  transaction: RunInTransaction
  personOf: ProfileService['personOf']
  activity: Pick<MemberActivity, 'of'>
}) {
  /** Members by name; `q` finds a part of name or mail address. @throws `not_found` for a caller who is none. */
  async function list(ctx: UserContext, { q = '', limit = defaultPageSize, cursor }: Query): Promise<PageOf<Member>> {
    if (!(await workspaces.isMember(ctx))) throw errors.notFound('There is no such user in this workspace.')
    const [current, seen] = await Promise.all([workspaces.activeMembers(ctx), activity.of(ctx)])
    const members = await Promise.all(current.map((member) => toMember(member, seen)))
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

  /** Counts the seats that are taken, and finds who decides on approvals. */
  async function countPeople(scope: WorkspaceScope): Promise<{ seats: number; deciders: string[] }> {
    const [current, taken] = await Promise.all([workspaces.activeMembers(scope), seats.taken(scope)])
    const deciders = current.filter(({ role }) => can(role, 'approvals:decide')).map(({ userId }) => userId)
    return { seats: taken, deciders: deciders.slice(0, maxDeciders) }
  }

  /** @throws `not_found`, also for a membership that has ended, and for a caller who is no member. */
  async function read(ctx: UserContext, id: string): Promise<Member> {
    const [isMember, member] = await Promise.all([
      workspaces.isMember(ctx),
      isId(id) ? records.memberOfId(ctx, id) : null,
    ])
    if (!isMember || !member || !isActive(member)) throw noSuchMember()
    return toMember(member)
  }

  async function toMember(record: MemberRecord, known?: ReadonlyMap<string, Date>): Promise<Member> {
    const { id, userId, role, version, createdAt, updatedAt } = record
    const [person, seen] = await Promise.all([personOf(userId), known ?? activity.of(record)])
    const seenAt = seen.get(userId)
    return {
      id,
      userId,
      role,
      status: 'active',
      version,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ...person,
      // Before the first use that was noted: the time of the sign-in.
      ...(seenAt && { lastSeenAt: seenAt.toISOString() }),
    }
  }

  /** @throws `not_found`, `forbidden`, `stale_version`, `last_owner`. */
  async function change(ctx: UserContext, id: string, wanted: { role: Role; version: number }): Promise<Member> {
    const { role, version } = wanted
    const changed = await changing(ctx, { id, permission: 'members:change' }, async ({ caller, target, tx }) => {
      if (target.version !== version) throw errors.staleVersion(await toMember(target))
      checkWithin(caller.role, role)
      noteBefore('role', target.role)
      return target.role === role ? target : setRole(ctx, target, role, tx)
    })
    return toMember(changed)
  }

  /** @throws `not_found`, `forbidden`, `wrong_state` for oneself, `last_owner`. */
  async function remove(ctx: UserContext, id: string): Promise<void> {
    await changing(ctx, { id, permission: 'members:remove' }, async ({ caller, target, tx }) => {
      if (target.id === caller.id) throw errors.wrongState('You cannot remove yourself. Leave the workspace instead.')
      await endMembership(tx, target, { kind: 'user', id: ctx.userId })
    })
  }

  /** Ends the caller's own membership. @throws `last_owner`. */
  async function leave(ctx: UserContext): Promise<void> {
    await seats.ensure(ctx)
    await transaction(async (tx) => endMembership(tx, await callerOf(ctx, tx), { kind: 'user', id: ctx.userId }))
  }

  /** Makes another member an owner and the caller an admin. @throws `not_found`, `forbidden`, `wrong_state` for oneself. */
  async function transfer(ctx: UserContext, id: string): Promise<void> {
    await changing(ctx, { id, permission: 'workspace:transfer' }, async ({ caller, target, tx }) => {
      if (target.id === caller.id) throw errors.wrongState('This workspace is yours already.')
      if (target.role !== 'owner') await setRole(ctx, target, 'owner', tx)
      await setRole(ctx, caller, 'admin', tx)
    })
  }

  /** Runs a change of another member by a caller who has the permission at that moment, and no lower role than the other. */
  async function changing<T>(
    ctx: UserContext,
    { id, permission }: { id: string; permission: Permission },
    work: (parts: { caller: MemberRecord; target: MemberRecord; tx: Tx }) => Promise<T>,
  ): Promise<T> {
    await seats.ensure(ctx)
    return transaction(async (tx) => {
      const caller = await callerOf(ctx, tx)
      checkStillMay(caller.role, permission)
      const target = isId(id) ? await records.memberOfId(ctx, id, { session: tx.session }) : null
      if (!target || !isActive(target)) throw noSuchMember()
      checkWithin(caller.role, target.role)
      return work({ caller, target, tx })
    })
  }

  async function callerOf(ctx: UserContext, { session }: Tx): Promise<MemberRecord> {
    const caller = await records.findMember(ctx, ctx.userId, { session })
    if (!caller || !isActive(caller)) throw errors.notFound('You are not a member of this workspace any more.')
    return caller
  }

  async function setRole(ctx: UserContext, member: MemberRecord, role: Role, tx: Tx): Promise<MemberRecord> {
    const { session } = tx
    if (member.role === 'owner') await seats.releaseOwner(ctx, { session })
    if (role === 'owner') await seats.add(ctx, { owners: 1 }, { session })
    const changed = await records.changeMember(ctx, member.id, { role }, { session })
    recordMember(tx, changed, { kind: 'user', id: ctx.userId })
    return changed
  }

  /**
   * Returns what another process may know of users of the workspace that its token names, including those whose membership has
   * ended.
   * @throws `forbidden` for a token that names none.
   */
  async function facts(ctx: ServiceContext, userIds: readonly string[]): Promise<MemberFacts[]> {
    const found = await workspaces.membersAmong(scopeOf(ctx), userIds)
    return Promise.all(
      found.map(async (record) => {
        const { name, email } = await personOf(record.userId)
        const since = record.createdAt.toISOString()
        return { id: record.userId, name, ...(email && { email }), role: record.role, active: isActive(record), since }
      }),
    )
  }

  return { list, read, change, remove, leave, transfer, facts, countPeople }
}

const noSuchMember = () => errors.notFound('There is no such member in this workspace.')

/** Returns the start of a page: after the member that the cursor names, 0 for the first page. */
function startOf(members: readonly Member[], cursor: string | undefined): number {
  const after = cursor === undefined || cursor === '>' ? undefined : cursor.slice(1)
  const index = after === undefined ? -1 : members.findIndex(({ id }) => id === after)
  if (after !== undefined && index === -1)
    throw errors.validation({ cursor: 'This page is of another list. Begin with the first page.' })
  return index + 1
}
