import type { WorkspaceFields } from '@parley/contracts/account/workspace'
import { maxWorkspaces } from '@parley/contracts/account/workspace'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import {
  closes,
  type Deletion,
  type MemberRecord,
  memberSchema,
  type WorkspaceRecord,
  workspaceSchema,
} from './workspaces.model.ts'

export type WorkspacesRepository = ReturnType<typeof createWorkspacesRepository>
type InTransaction = Required<SessionOption>

/** More than any plan allows. */
const maxMembers = 1000
const maxClosed = 20

const isCurrent = { status: { $ne: 'removed' } } as const

export function createWorkspacesRepository(connection: ServiceConnection) {
  const stored = { connection, name: 'workspaces', schema: workspaceSchema }
  const workspaces = scopedCollection<WorkspaceScope, WorkspaceRecord>(stored, ({ workspaceId }) => ({
    _id: workspaceId,
  }))
  const closing = scopedCollection<object, WorkspaceRecord>(stored, () => ({ closing: closes }))
  const definition = { connection, name: 'members', schema: memberSchema }
  const members = workspaceCollection<MemberRecord>(definition)
  const memberships = scopedCollection<{ userId: string }, MemberRecord>(definition, ({ userId }) => ({ userId }))

  return {
    find: (scope: WorkspaceScope, options?: SessionOption) => workspaces(scope).findOne({}, options),
    create: (
      scope: WorkspaceScope,
      workspace: Pick<WorkspaceRecord, 'name' | 'ownerId' | 'cell'>,
      options: SessionOption,
    ) => workspaces(scope).create(workspace, options),
    /** @throws `stale_version` where another version is stored, `not_found`. */
    update: (
      scope: WorkspaceScope,
      fields: Partial<WorkspaceFields>,
      { version, toAnswer }: { version: number; toAnswer: (record: WorkspaceRecord) => unknown },
    ) => {
      const update = { $set: fields }
      return updateVersion(workspaces(scope), { id: scope.workspaceId, version, update, toAnswer })
    },
    /** Makes a cell the one of a workspace; `undefined`: the home cell. */
    place: (scope: WorkspaceScope, cell: string | undefined, options: InTransaction) =>
      workspaces(scope).findOneAndUpdate(
        {},
        cell === undefined ? { $unset: { cell: 1 } } : { $set: { cell } },
        options,
      ),
    /** Closes a workspace; `null` where it is being deleted already. */
    beginDeletion: (scope: WorkspaceScope, deletion: Deletion, options: InTransaction) =>
      workspaces(scope).findOneAndUpdate(
        { deletion: { $exists: false } },
        { $set: { deletion, closing: closes } },
        options,
      ),
    /** Opens it again; `null` where another call has done so, or its erasure has begun. */
    endDeletion: (scope: WorkspaceScope, options: InTransaction) =>
      workspaces(scope).findOneAndUpdate({ closing: closes }, { $unset: { deletion: 1, closing: 1 } }, options),
    /** Begins its erasure where its days have ended by then: it stays closed, and is not restored any more; else `null`. */
    beginErasure: (scope: WorkspaceScope, due: Date, options: InTransaction) =>
      workspaces(scope).findOneAndUpdate(
        { closing: closes, 'deletion.until': { $lte: due } },
        { $unset: { closing: 1 } },
        options,
      ),
    /** `null` where it is not being deleted. */
    hastenDeletion: (scope: WorkspaceScope, until: Date, options: InTransaction) =>
      workspaces(scope).findOneAndUpdate({ closing: closes }, { $set: { 'deletion.until': until } }, options),
    /** Workspaces of which the time to restore them has ended. */
    closed: (now: Date): PromiseLike<WorkspaceRecord[]> =>
      closing({})
        .find({ 'deletion.until': { $lte: now } })
        .sort({ 'deletion.until': 1 })
        .limit(maxClosed)
        .hint('closing'),
    /** All who are or were members, one after the other. */
    everybody: (scope: WorkspaceScope) => members(scope).find({}).hint('membership'),
    /** Also one that has ended. */
    findMember: (scope: WorkspaceScope, userId: string, options?: SessionOption) =>
      members(scope).findOne({ userId }, options),
    /** The same by the id of the membership. */
    memberOfId: (scope: WorkspaceScope, id: string, options: SessionOption = {}) =>
      members(scope).findOne({ _id: id }, options),
    activeMembers: (scope: WorkspaceScope, { session }: SessionOption = {}): PromiseLike<MemberRecord[]> =>
      members(scope)
        .find(isCurrent)
        .limit(maxMembers)
        .hint('membership')
        .session(session ?? null),
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
    /** Memberships of a user, also those that have ended. */
    everMember: (userId: string): PromiseLike<MemberRecord[]> =>
      memberships({ userId }).find({}).sort({ _id: 1 }).limit(maxMembers).hint('memberships'),
    oldestMembership: (userId: string) =>
      memberships({ userId }).findOne(isCurrent, { sort: { _id: 1 }, hint: 'memberships' }),
    memberships: (userId: string): PromiseLike<MemberRecord[]> =>
      memberships({ userId }).find(isCurrent).sort({ _id: 1 }).limit(maxWorkspaces).hint('memberships'),
  }
}
