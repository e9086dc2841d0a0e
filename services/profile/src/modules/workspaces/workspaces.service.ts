import { maxWorkspaces, type Workspace, type workspaceApi } from '@parley/contracts/account/workspace'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AccessVersions } from './access-versions.ts'
import { recordMember } from './record-member.ts'
import type { Seats } from './seats.ts'
import type { MemberRecord, WorkspaceRecord } from './workspaces.model.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'

export type { MemberRecord } from './workspaces.model.ts'
export type { WorkspacesRepository } from './workspaces.repository.ts'
export type WorkspacesService = ReturnType<typeof createWorkspacesService>

/** Workspaces that a user is led to, the first one that they belong to counts. */
interface Wanted {
  readonly id: string
  readonly homeWorkspaceId: string
  readonly lastWorkspaceId?: string | undefined
  readonly trialUsedAt?: Date | undefined
}

/** Workspaces, and where their members are at home. What changes a membership is in `members` and `invitations`. */
export function createWorkspacesService({
  workspaces,
  seats,
  transaction,
  announce,
  place,
}: {
  workspaces: WorkspacesRepository
  seats: Pick<Seats, 'begin'>
  transaction: RunInTransaction
  announce: AccessVersions['announce']
  /** Chooses the cell of a new workspace; `undefined` for the home cell. */
  place: () => string | undefined
}) {
  /**
   * The membership that a session of a user begins with: in the workspace that is asked for, else the one that was used last, else
   * their own, else the oldest in another. Who belongs to none gets their own at the first call. A membership that has ended is
   * never restored.
   * @returns `undefined` where every membership of the user has ended.
   */
  async function enter(
    user: Wanted,
    { asked, name }: { asked: string | undefined; name: string },
  ): Promise<MemberRecord | undefined> {
    for (const workspaceId of [asked, user.lastWorkspaceId]) {
      const member = workspaceId === undefined ? null : await workspaces.findMember({ workspaceId }, user.id)
      if (member && isActive(member)) return member
    }
    const home = { workspaceId: user.homeWorkspaceId }
    const [workspace, known] = await Promise.all([workspaces.find(home), workspaces.findMember(home, user.id)])
    if (workspace && known && isActive(known)) return known
    const other = await workspaces.oldestMembership(user.id)
    if (other && other.workspaceId !== home.workspaceId) return other
    const own =
      workspace && known ? known : await createOwned(home, { userId: user.id, name, trial: !user.trialUsedAt })
    return isActive(own) ? own : undefined
  }

  /** Creates what is missing of a user's own workspace and membership; racing calls end in the same records. */
  async function createOwned(
    home: WorkspaceScope,
    owner: { userId: string; name: string; trial: boolean },
  ): Promise<MemberRecord> {
    return transaction(async (tx) => {
      const { session } = tx
      const { name, userId: ownerId, trial } = owner
      const workspace =
        (await workspaces.find(home, { session })) ??
        (await workspaces.create(home, { name, ownerId, cell: place() }, { session }))
      if (workspace.ownerId !== ownerId) throw new Error('the home workspace of a user belongs to another')
      const known = await workspaces.findMember(home, ownerId, { session })
      if (known) return known
      const member = await workspaces.addMember(home, { userId: ownerId, role: 'owner' }, { session })
      await seats.begin(home, { session })
      const by = { kind: 'user', id: ownerId } as const
      recordMember(tx, member, by)
      if (!trial) tx.send({ ...home, to: 'messaging', type: 'workspace.created', by, data: { trial } })
      return member
    })
  }

  /**
   * Returns the membership of the caller in the context's workspace now, if they have one. A newer one than the session's is
   * announced: the process that changed it may have died before it could.
   */
  async function memberOf(ctx: UserContext): Promise<MemberRecord | undefined> {
    const member = await workspaces.findMember(ctx, ctx.userId)
    const seen = ctx.claims.ver
    if (member && seen !== undefined && seen < member.version) await announce(member)
    return member && isActive(member) ? member : undefined
  }

  const isMember = async (ctx: UserContext): Promise<boolean> => (await memberOf(ctx)) !== undefined

  /** The context's workspace and the caller's membership there; `undefined` where there is none. */
  async function placeOf(ctx: UserContext): Promise<{ workspace: WorkspaceRecord; member: MemberRecord } | undefined> {
    const [workspace, member] = await Promise.all([workspaces.find(ctx), memberOf(ctx)])
    return workspace && member ? { workspace, member } : undefined
  }

  /** @throws `not_found` for a caller who is no member. */
  async function read(ctx: UserContext): Promise<Workspace> {
    const place = await placeOf(ctx)
    if (!place) throw noWorkspace()
    return toWorkspace(place.workspace)
  }

  /** Changes the given fields. @throws `stale_version` where the record is not the seen one; `not_found`. */
  async function update(
    ctx: UserContext,
    { version, ...fields }: EndpointInput<typeof workspaceApi.update>['body'],
  ): Promise<Workspace> {
    if (!(await isMember(ctx))) throw noWorkspace()
    return toWorkspace(await workspaces.update(ctx, omitUndefined(fields), { version, toAnswer: toWorkspace }))
  }

  /**
   * Creates another workspace of the caller. The session stays where it is.
   * @throws `limit_reached`.
   */
  async function create({ userId }: UserContext, name: string) {
    const memberships = await workspaces.memberships(userId)
    if (memberships.length >= maxWorkspaces)
      throw new AppError('limit_reached', `A person is in at most ${maxWorkspaces} workspaces. Leave one first.`)
    const scope = { workspaceId: newId() }
    const by = { kind: 'user', id: userId } as const
    return transaction(async (tx) => {
      const { session } = tx
      await workspaces.create(scope, { name, ownerId: userId, cell: place() }, { session })
      const member = await workspaces.addMember(scope, { userId, role: 'owner' }, { session })
      await seats.begin(scope, { session })
      recordMember(tx, member, by)
      tx.send({ ...scope, to: 'messaging', type: 'workspace.created', by, data: { trial: false } })
      return { id: scope.workspaceId, name, role: member.role }
    })
  }

  /** Workspaces of the caller, by name. */
  async function list({ userId }: UserContext) {
    const memberships = await workspaces.memberships(userId)
    const found = await Promise.all(memberships.map((member) => workspaces.find(member)))
    return memberships
      .flatMap(({ workspaceId, role }, index) => {
        const name = found[index]?.name
        return name === undefined ? [] : [{ id: workspaceId, name, role }]
      })
      .sort((left, right) => left.name.localeCompare(right.name) || (left.id < right.id ? -1 : 1))
  }

  const { activeMembers, membersAmong } = workspaces
  /** Returns facts by which calls are let in and led to their services. A workspace that is not there is closed for good. */
  async function stateOf(scope: WorkspaceScope) {
    const workspace = await workspaces.find(scope)
    return { closing: !workspace || workspace.deletion !== undefined, cell: workspace?.cell }
  }
  /** Returns the cell of a workspace; `undefined` for the home cell, and for one that is not there. */
  const cellOf = async (scope: WorkspaceScope): Promise<string | undefined> => (await workspaces.find(scope))?.cell
  const nameOf = async (scope: WorkspaceScope): Promise<string> => (await workspaces.find(scope))?.name ?? ''
  return {
    create,
    enter,
    createOwned,
    isMember,
    memberOf,
    placeOf,
    nameOf,
    stateOf,
    cellOf,
    read,
    update,
    list,
    activeMembers,
    membersAmong,
  }
}

export const isActive = ({ status }: Pick<MemberRecord, 'status'>): boolean => status !== 'removed'

const noWorkspace = () => errors.notFound('There is no such workspace.')

const toWorkspace = (record: WorkspaceRecord): Workspace => ({
  id: record.id,
  name: record.name,
  email: record.email ?? '',
  phone: record.phone ?? '',
  createdBy: record.ownerId,
  version: record.version,
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
})
