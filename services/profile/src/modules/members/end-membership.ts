import type { NewEvent } from '@parley/contracts/platform/events'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { WithdrawAll } from '../invitations/withdraw-all.ts'
import { recordMember } from '../workspaces/record-member.ts'
import type { Seats } from '../workspaces/seats.ts'
import type { MemberRecord, WorkspacesRepository } from '../workspaces/workspaces.service.ts'

/** Ends a membership in a transaction; the seats of its workspace are ensured before. @throws `last_owner`. */
export type EndMembership = (tx: Tx, member: MemberRecord, by: NewEvent['by']) => Promise<void>

/**
 * Ends memberships with the open invitations of the member. Their API keys are the workspace's and go on: owners are told of them.
 */
export function createEndMembership(deps: {
  readonly records: Pick<WorkspacesRepository, 'changeMember'>
  readonly seats: Pick<Seats, 'releaseOwner' | 'add'>
  readonly withdrawAll: WithdrawAll
  readonly keys: {
    readonly liveOf: (
      scope: WorkspaceScope,
      userId: string,
      at: Date,
      tx: Pick<Tx, 'session'>,
    ) => Promise<readonly { readonly publicId: string; readonly name: string }[]>
  }
  readonly now?: Clock
}): EndMembership {
  const { records, seats, withdrawAll, keys, now = () => new Date() } = deps

  return async function endMembership(tx, member, by) {
    const { id, userId, role } = member
    if (role === 'owner') await seats.releaseOwner(member, tx)
    await seats.add(member, { taken: -1 }, tx)
    await withdrawAll(tx, member, { invitedBy: userId })
    const left = await keys.liveOf(member, userId, now(), tx)
    const ended = await records.changeMember(member, id, { status: 'removed' }, tx)
    const named = left.map(({ publicId, name }) => ({ id: publicId, name }))
    recordMember(tx, ended, by, named)
  }
}
