import type { WorkspaceFields } from '@parley/contracts/account/workspace'
import { maxWorkspaces } from '@parley/contracts/account/workspace'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type MemberRecord, memberSchema, type WorkspaceRecord, workspaceSchema } from './workspaces.model.ts'

export type WorkspacesRepository = ReturnType<typeof createWorkspacesRepository>
type InTransaction = Required<SessionOption>

/** More than any plan allows. */
const maxMembers = 1000

const isCurrent = { status: { $ne: 'removed' } } as const

export function createWorkspacesRepository(connection: ServiceConnection) {
  const workspaces = scopedCollection<WorkspaceScope, WorkspaceRecord>(
    { connection, name: 'workspaces', schema: workspaceSchema },
    ({ workspaceId }) => ({ _id: workspaceId }),
  )
  const definition = { connection, name: 'members', schema: memberSchema }
  const members = workspaceCollection<MemberRecord>(definition)
  const memberships = scopedCollection<{ userId: string }, MemberRecord>(definition, ({ userId }) => ({ userId }))

  return {
    find: (scope: WorkspaceScope, options?: SessionOption) => workspaces(scope).findOne({}, options),
    create: (scope: WorkspaceScope, workspace: Pick<WorkspaceRecord, 'name' | 'ownerId'>, options: SessionOption) =>
      workspaces(scope).create(workspace, options),
    /** @throws `stale_version` where another version is stored, `not_found`. */
    update: (
      scope: WorkspaceScope,
      fields: Partial<WorkspaceFields>,
      { version, toAnswer }: { version: number; toAnswer: (record: WorkspaceRecord) => unknown },
    ) => {
      const update = { $set: fields }
      return updateVersion(workspaces(scope), { id: scope.workspaceId, version, update, toAnswer })
    },
    /** Also one that has ended. */
    findMember: (scope: WorkspaceScope, userId: string, options?: SessionOption) =>
      members(scope).findOne({ userId }, options),
    /** The same by the id of the membership. */
    memberOfId: (scope: WorkspaceScope, id: string, options: SessionOption = {}) =>
      members(scope).findOne({ _id: id }, options),
    activeMembers: (scope: WorkspaceScope): PromiseLike<MemberRecord[]> =>
      members(scope).find(isCurrent).limit(maxMembers).hint('membership'),
    /** Returns the users among these who are or were members. */
    membersAmong: (scope: WorkspaceScope, userIds: readonly string[]): PromiseLike<MemberRecord[]> =>
      members(scope)
        .find({ userId: { $in: userIds } })
        .limit(maxMembers)
        .hint('membership'),
    addMember: (scope: WorkspaceScope, member: Pick<MemberRecord, 'userId' | 'role'>, options: SessionOption) =>
      members(scope).create({ ...member, status: 'active' }, options),
    changeMember: async (
      scope: WorkspaceScope,
      id: string,
      change: Partial<Pick<MemberRecord, 'role' | 'status'>>,
      options: InTransaction,
    ): Promise<MemberRecord> => {
      const changed = await members(scope).findOneAndUpdate({ _id: id }, { $set: change }, options)
      if (!changed) throw new Error('a membership that was read is gone')
      return changed
    },
    oldestMembership: (userId: string) =>
      memberships({ userId }).findOne(isCurrent, { sort: { _id: 1 }, hint: 'memberships' }),
    memberships: (userId: string): PromiseLike<MemberRecord[]> =>
      memberships({ userId }).find(isCurrent).sort({ _id: 1 }).limit(maxWorkspaces).hint('memberships'),
  }
}
