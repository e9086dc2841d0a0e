import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type MemberRecord, memberSchema, type WorkspaceRecord, workspaceSchema } from './workspaces.model.ts'

export type WorkspacesRepository = ReturnType<typeof createWorkspacesRepository>

/** More than any plan allows. */
const maxMembers = 1000

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
    /** Also one that has ended. */
    findMember: (scope: WorkspaceScope, userId: string, options?: SessionOption) =>
      members(scope).findOne({ userId }, options),
    activeMembers: (scope: WorkspaceScope): PromiseLike<MemberRecord[]> =>
      members(scope)
        .find({ status: { $ne: 'removed' } })
        .limit(maxMembers)
        .hint('membership'),
    /** Those of the users who are or were members. */
    membersAmong: (scope: WorkspaceScope, userIds: readonly string[]): PromiseLike<MemberRecord[]> =>
      members(scope)
        .find({ userId: { $in: userIds } })
        .limit(maxMembers)
        .hint('membership'),
    addMember: (scope: WorkspaceScope, member: Pick<MemberRecord, 'userId' | 'role'>, options: SessionOption) =>
      members(scope).create({ ...member, status: 'active' }, options),
    oldestMembership: (userId: string) =>
      memberships({ userId }).findOne({ status: { $ne: 'removed' } }, { sort: { _id: 1 }, hint: 'memberships' }),
  }
}
