import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AccessVersions } from './access-versions.ts'
import type { MemberRecord } from './workspaces.model.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'

/**
 * Nothing changes a role or ends a membership yet: a user owns the one workspace that comes with them. Code that adds that emits
 * `member.changed` with it, which is announced to the user's sessions after the commit (`announceMembers`).
 */
export type WorkspacesService = ReturnType<typeof createWorkspacesService>

export function createWorkspacesService({
  workspaces,
  transaction,
  announce,
}: {
  workspaces: WorkspacesRepository
  transaction: RunInTransaction
  announce: AccessVersions['announce']
}) {
  /**
   * The membership that a session of a user begins with: in their own workspace, which is created at the first call, or else
   * the oldest in another. A membership that has ended is never restored.
   * @returns `undefined` where every membership of the user has ended.
   */
  async function enter(user: { id: string; homeWorkspaceId: string }, name: string): Promise<MemberRecord | undefined> {
    const home = { workspaceId: user.homeWorkspaceId }
    const [workspace, known] = await Promise.all([workspaces.find(home), workspaces.findMember(home, user.id)])
    const member = workspace && known ? known : await createOwned(home, { userId: user.id, name })
    return isActive(member) ? member : ((await workspaces.oldestMembership(user.id)) ?? undefined)
  }

  /** Creates what is missing of a user's own workspace and membership; racing calls end in the same records. */
  async function createOwned(home: WorkspaceScope, owner: { userId: string; name: string }): Promise<MemberRecord> {
    return transaction(async ({ session, emit }) => {
      const { name, userId: ownerId } = owner
      const workspace =
        (await workspaces.find(home, { session })) ?? (await workspaces.create(home, { name, ownerId }, { session }))
      if (workspace.ownerId !== ownerId) throw new Error('the home workspace of a user belongs to another')
      const known = await workspaces.findMember(home, ownerId, { session })
      if (known) return known
      const member = await workspaces.addMember(home, { userId: ownerId, role: 'owner' }, { session })
      const { id: memberId, userId, role, version } = member
      emit({
        workspaceId: home.workspaceId,
        type: 'member.changed',
        recordId: memberId,
        version,
        by: { kind: 'user', id: userId },
        data: { memberId, userId, role, status: 'active', version },
      })
      return member
    })
  }

  /**
   * Returns whether the user is a member of the context's workspace now. A membership newer than the session's is announced: the
   * process that changed it may have died before it could.
   */
  async function isMember(ctx: UserContext): Promise<boolean> {
    const member = await workspaces.findMember(ctx, ctx.userId)
    const seen = ctx.claims.ver
    if (member && seen !== undefined && seen < member.version) await announce(member)
    return member !== null && isActive(member)
  }

  /** Name of the context's workspace; `undefined` where the user is no member of it. */
  async function nameForMember(ctx: UserContext): Promise<string | undefined> {
    const [workspace, belongs] = await Promise.all([workspaces.find(ctx), isMember(ctx)])
    return belongs ? workspace?.name : undefined
  }

  const { activeMembers, membersAmong } = workspaces
  return { enter, createOwned, isMember, nameForMember, activeMembers, membersAmong }
}

export const isActive = ({ status }: MemberRecord): boolean => status !== 'removed'
