import { restoreDays } from '@parley/contracts/account/workspace-deletion'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { MailContent } from '../mails/mail-texts.ts'
import type { MailsService } from '../mails/mails.service.ts'
import { checkStillMay } from '../members/member-rules.ts'
import type { ProfileService } from '../profile/profile.service.ts'
import { recordMember } from './record-member.ts'
import type { WorkspaceRecord } from './workspaces.model.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'
import { isActive } from './workspaces.service.ts'

const dayMs = 86_400_000

export interface ChangedKey {
  readonly publicId: string
  readonly revision: number
}
type Letter = Awaited<ReturnType<MailsService['order']>>

/** Keys and mails that a change of the workspace's state has written; others are told of them after the commit. */
interface Told {
  readonly keys: readonly ChangedKey[]
  readonly letters: readonly Letter[]
}

/**
 * Deletes workspaces in two steps: closed, a workspace stands still and can be restored; after some days a worker erases it. Sessions and
 * keys are asked for anew with each step, so that it counts as soon as Redis has reported it.
 */
export function createDeletionService(deps: {
  workspaces: Pick<
    WorkspacesRepository,
    'find' | 'findMember' | 'activeMembers' | 'changeMember' | 'beginDeletion' | 'endDeletion' | 'hastenDeletion'
  >
  /** Raises the version of every key of a workspace. */
  keys: {
    readonly raiseAll: (scope: WorkspaceScope, at: Date, tx: Pick<Tx, 'session'>) => Promise<readonly ChangedKey[]>
  }
  mails: Pick<MailsService, 'order' | 'wake'>
  personOf: ProfileService['personOf']
  transaction: RunInTransaction
  /** Tells the BFFs that keys have changed. */
  announceKeys: (keys: readonly ChangedKey[]) => Promise<void>
  now?: Clock
}) {
  const { workspaces, keys, mails, personOf, transaction, announceKeys, now = () => new Date() } = deps

  /** @throws `validation_failed` for another name than the workspace's; `wrong_state` where it is being deleted already. */
  async function begin(ctx: UserContext, name: string): Promise<{ until: string }> {
    const at = now()
    const until = new Date(at.getTime() + restoreDays * dayMs)
    const people = await peopleOf(ctx)
    const told = await transaction(async (tx) => {
      const workspace = await checkOwner(ctx, tx)
      checkName(workspace, name)
      const closed = await workspaces.beginDeletion(ctx, { by: ctx.userId, at, until }, tx)
      if (!closed) throw errors.wrongState('This workspace is being deleted already.')
      const values = { workspace: workspace.name, by: people.nameOf(ctx.userId), until: dateFormat.format(until) }
      return tellAll(ctx, tx, { closing: true, people, mail: { template: 'workspace_closing', values } })
    })
    await afterwards(told)
    return { until: until.toISOString() }
  }

  /** @throws `wrong_state` where it is open, or its erasure has begun. */
  async function restore(ctx: UserContext): Promise<void> {
    const people = await peopleOf(ctx)
    const told = await transaction(async (tx) => {
      const workspace = await checkOwner(ctx, tx)
      if (!(await workspaces.endDeletion(ctx, tx))) throw notClosing()
      const values = { workspace: workspace.name, by: people.nameOf(ctx.userId) }
      return tellAll(ctx, tx, { closing: false, people, mail: { template: 'workspace_restored', values } })
    })
    await afterwards(told)
  }

  /** Ends the days in which it could be restored. @throws `validation_failed`, `wrong_state`. */
  async function eraseNow(ctx: UserContext, name: string): Promise<void> {
    await transaction(async (tx) => {
      checkName(await checkOwner(ctx, tx), name)
      if (!(await workspaces.hastenDeletion(ctx, now(), tx))) throw notClosing()
    })
  }

  async function checkOwner(ctx: UserContext, { session }: Tx): Promise<WorkspaceRecord> {
    const caller = await workspaces.findMember(ctx, ctx.userId, { session })
    if (!caller || !isActive(caller)) throw errors.notFound('You are not a member of this workspace any more.')
    checkStillMay(caller.role, 'workspace:delete')
    const workspace = await workspaces.find(ctx, { session })
    if (!workspace) throw errors.notFound('There is no such workspace.')
    return workspace
  }

  /** Returns the names and addresses of the members, read before the transaction. */
  async function peopleOf(scope: WorkspaceScope) {
    const people = new Map<string, { name: string; email: string }>()
    for (const { userId } of await workspaces.activeMembers(scope)) people.set(userId, await personOf(userId))
    return { of: people, nameOf: (userId: string) => people.get(userId)?.name ?? '' }
  }

  /** Writes to every member, and raises the versions by which sessions and keys are known. */
  async function tellAll(
    ctx: UserContext,
    tx: Tx,
    parts: { closing: boolean; people: Awaited<ReturnType<typeof peopleOf>>; mail: MailContent },
  ): Promise<Told> {
    const by = { kind: 'user', id: ctx.userId } as const
    const { workspaceId } = ctx
    tx.send({ workspaceId, to: 'messaging', type: 'workspace.state', by, data: { closing: parts.closing } })
    const letters: Letter[] = []
    for (const member of await workspaces.activeMembers(ctx)) {
      recordMember(tx, await workspaces.changeMember(ctx, member.id, { status: 'active' }, tx), by)
      const to = parts.people.of.get(member.userId)?.email
      if (to) letters.push(await mails.order(ctx, { to, ...parts.mail }, { session: tx.session }))
    }
    return { letters, keys: await keys.raiseAll(ctx, now(), tx) }
  }

  async function afterwards(told: Told): Promise<void> {
    await announceKeys(told.keys)
    await Promise.all(told.letters.map(mails.wake))
  }

  return { begin, restore, eraseNow }
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function checkName({ name }: WorkspaceRecord, typed: string): void {
  if (typed !== name.trim())
    throw errors.validation({ name: `Type the name of the workspace as it is shown: ${name}.` })
}

const notClosing = () => errors.wrongState('This workspace is not being deleted, or its erasure has begun.')
