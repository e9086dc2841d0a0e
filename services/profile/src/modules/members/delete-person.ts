import { membersApi } from '@parley/contracts/account/members'
import { callOf, runAudited } from '@parley/service-kit/core/call-context'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { WithdrawAll } from '../invitations/withdraw-all.ts'
import type { UserCache } from '../profile/user-cache.ts'
import type { ChangedKey } from '../workspaces/deletion.service.ts'
import { recordMember } from '../workspaces/record-member.ts'
import type { Seats } from '../workspaces/seats.ts'
import { isActive, type MemberRecord, type WorkspacesRepository } from '../workspaces/workspaces.service.ts'
import type { EndMembership } from './end-membership.ts'

/** Account at an identity provider. */
interface Account {
  readonly iss: string
  readonly sub: string
}

interface Dependencies {
  readonly records: Pick<
    WorkspacesRepository,
    | 'memberships'
    | 'everMember'
    | 'activeMembers'
    | 'find'
    | 'findMember'
    | 'changeMember'
    | 'beginDeletion'
    | 'hastenDeletion'
  >
  readonly seats: Pick<Seats, 'ensure'>
  readonly endMembership: EndMembership
  readonly withdrawAll: WithdrawAll
  readonly keys: {
    readonly raiseAll: (scope: WorkspaceScope, at: Date, tx: Pick<Tx, 'session'>) => Promise<readonly ChangedKey[]>
  }
  /** Tells the BFFs that a key has changed. */
  readonly announceKeys: (keys: readonly ChangedKey[]) => Promise<void>
  readonly users: {
    readonly ofAccount: (account: Account) => Promise<{ id: string; email: string; version: number } | null>
    readonly remove: (self: { readonly userId: string }) => Promise<unknown>
  }
  readonly cache: Pick<UserCache, 'forget'>
  readonly invitations: { readonly removeOfAddress: (email: string) => Promise<unknown> }
  readonly audit: { readonly erasePersonal: (scope: WorkspaceScope, actorId: string) => Promise<unknown> }
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/**
 * Deletes a person with their account: they leave every workspace, one that is theirs alone goes with them, and what is known of them is
 * erased. Their id stays in records of what they did. Safe to run again: what an interrupted run has done is not there any more.
 */
export function createDeletePerson(deps: Dependencies) {
  const { records, seats, endMembership, users, cache, invitations, audit, transaction, now = () => new Date() } = deps

  /**
   * @throws `last_owner` where a workspace with other members has no other owner. Nothing is changed then, unless somebody has joined
   * it at this moment: what was done before that stays done.
   */
  return async function deletePerson(account: Account): Promise<void> {
    const user = await users.ofAccount(account)
    // The user is removed last: nothing is left where there is none.
    if (!user) return
    const { id: userId } = user
    const memberships = await records.memberships(userId)
    const places = await Promise.all(memberships.map(placeOf))
    const stuck = places.flatMap(({ name, kind }) => (kind === 'last owner' ? name : []))
    if (stuck.length > 0) throw lastOwner(stuck)
    for (const place of places) await (place.kind === 'alone' ? close(place) : leave(place.member))
    for (const { workspaceId } of await records.everMember(userId)) await audit.erasePersonal({ workspaceId }, userId)
    await invitations.removeOfAddress(user.email)
    await users.remove({ userId })
    await cache.forget({ id: userId, version: user.version + 1 })
  }

  async function placeOf(member: MemberRecord) {
    const [workspace, others] = await Promise.all([records.find(member), records.activeMembers(member)])
    const owners = others.filter(({ role }) => role === 'owner').length
    const isLast = member.role === 'owner' && owners === 1
    const kind = !isLast ? 'one of several' : others.length === 1 ? 'alone' : 'last owner'
    return { member, name: workspace?.name ?? '', kind } as const
  }

  async function leave(member: MemberRecord): Promise<void> {
    await seats.ensure(member)
    const { workspaceId, userId } = member
    // The call comes from the BFF: the entry is that of the member, as when they leave in the app.
    const targets = [{ kind: 'members', id: member.id }]
    const actor = { kind: 'member', id: userId } as const
    const call = callOf({ workspaceId, actor, action: membersApi.leave.operation, targets })
    const end = async (tx: Tx) => {
      const current = await records.findMember(member, member.userId, tx)
      if (current && isActive(current)) await endMembership(tx, current, { kind: 'user', id: userId })
    }
    await runAudited(call, () => transaction(end))
  }

  /** The last member is gone, so that its erasure begins at once. */
  async function close({ member, name }: { member: MemberRecord; name: string }): Promise<void> {
    const { workspaceId, userId: by } = member
    const raised = await transaction(async (tx) => {
      const at = now()
      // An invited person who joins meanwhile writes to their invitation too: of the two, one is first.
      await deps.withdrawAll(tx, member)
      if ((await records.activeMembers(member, tx)).some(({ userId }) => userId !== by)) throw lastOwner([name])
      const closed = await records.beginDeletion(member, { by, at, until: at }, tx)
      if (closed) {
        tx.send({
          workspaceId,
          to: 'messaging',
          type: 'workspace.state',
          by: { kind: 'user', id: by },
          data: { closing: true },
        })
      } else await records.hastenDeletion(member, at, tx)
      const ended = await records.changeMember(member, member.id, { status: 'removed' }, tx)
      recordMember(tx, ended, { kind: 'user', id: by })
      return deps.keys.raiseAll(member, at, tx)
    })
    await deps.announceKeys(raised)
  }
}

const lastOwner = (names: readonly string[]) =>
  new AppError(
    'last_owner',
    `You are the last owner of ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}. Make somebody else an owner, or delete the workspace first.`,
  )
