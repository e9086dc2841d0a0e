import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type ActorContext, causeOf, memberIdOf } from '@parley/service-kit/http/context'
import { messageCauseOf } from '../../../platform/actor-of.ts'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import type { MessagesService } from '../messages/messages.service.ts'
import type { ThreadService } from '../messages/thread.service.ts'
import { changeFrom } from './conversation-effects.ts'
import { type ConversationRecord, snoozeTimer } from './conversations.model.ts'
import type { ConversationsRepository } from './conversations.repository.ts'
import { type ConversationsService, noConversation } from './conversations.service.ts'
import { closed, ownedBy } from './ownership.ts'

type Changes = EndpointInput<typeof conversationsApi.update>['body']
type Activity = NonNullable<Extract<MessageContent, { type: 'system' }>['activity']>

/** Changes to the record, and the activities that the thread shows for them. */
interface Decision {
  readonly set: Record<string, unknown>
  readonly unset: Readonly<Record<string, ''>>
  readonly activities: readonly Activity[]
}

interface Dependencies {
  readonly conversationRecords: ConversationsRepository
  readonly conversations: Pick<ConversationsService, 'announce' | 'showAll'>
  readonly thread: Pick<ThreadService, 'unreadAfter'>
  readonly messages: Pick<MessagesService, 'insertNote'>
  readonly members: Pick<MemberFactsService, 'check'>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

export type ConversationChanges = ReturnType<typeof createConversationChanges>

/** Creates the operations of members on conversations. */
export function createConversationChanges(deps: Dependencies) {
  const { conversationRecords: conversations, conversations: shown, thread, messages, members, transaction } = deps
  const { now = () => new Date() } = deps

  /**
   * @throws `not_found`; `stale_version` where another user has taken or given it away unseen; `forbidden`; `validation_failed`
   * for an owner who is no member, `service_unavailable` where that cannot be known.
   */
  async function update(ctx: ActorContext, id: string, changes: Changes): Promise<Conversation> {
    const { owner } = changes
    // The call itself proves the caller's membership. Others are checked before the transaction, which makes no outside call.
    if (owner?.kind === 'member' && owner.id !== undefined && owner.id !== memberIdOf(ctx)) {
      checkMayAssign(ctx)
      await members.check(ctx, [owner.id], 'owner')
    }
    return transaction(async (tx) => {
      const current = await conversations.read(ctx, id, { session: tx.session })
      if (!current || current.merged) throw noConversation()
      if (changes.owner) await checkOwner(ctx, current, changes)
      const unread = await unreadOf(ctx, current, changes.read, tx)
      const { set, unset, activities } = merge([
        unread === current.unreadCount ? {} : { set: { unreadCount: unread } },
        statusOf(ctx, current, changes, now()),
        newOwnerOf(ctx, current, changes, now()),
      ])
      if (Object.keys(set).length === 0) return firstOf(await shown.showAll(ctx, [current]))
      await conversations.change(ctx, id, { $set: set, $unset: unset }, { session: tx.session })
      for (const activity of activities)
        await messages.insertNote(ctx, current, { content: contentOf(activity), cause: messageCauseOf(ctx) }, tx)
      return firstOf(
        await shown.announce(ctx, [id], tx, {
          by: causeOf(ctx),
          became: changeFrom(current, 'assigned'),
        }),
      )
    })
  }

  /** Refuses a change of owner by a person who has not seen the present one; messages that came since are no reason to refuse. */
  async function checkOwner(ctx: ActorContext, current: ConversationRecord, { version }: Changes): Promise<void> {
    checkMayAssign(ctx)
    if (version !== undefined && version < (current.ownerVersion ?? 1))
      throw errors.staleVersion(firstOf(await shown.showAll(ctx, [current])))
  }

  async function unreadOf(ctx: WorkspaceScope, { id, unreadCount }: ConversationRecord, read: Changes['read'], tx: Tx) {
    if (read === undefined) return unreadCount
    if (read === true) return 0
    if (read === false) return Math.max(1, unreadCount)
    return Math.min(unreadCount, await thread.unreadAfter(ctx, id, read.upTo, { session: tx.session }))
  }

  /**
   * A snoozed conversation is back once its time has come; where it has been opened or snoozed again meanwhile, nothing is done.
   */
  async function wake({ workspaceId, id }: WorkspaceScope & { readonly id: string }): Promise<void> {
    const scope = { workspaceId }
    await transaction(async (tx) => {
      const current = await conversations.read(scope, id, { session: tx.session })
      const { status, snoozedUntil, snoozedBy } = current ?? {}
      if (!current || status !== 'snoozed' || !snoozedUntil || snoozedUntil > now()) return
      await conversations.change(scope, id, { $set: { status: 'open' }, $unset: noSnooze }, { session: tx.session })
      if (snoozedBy !== undefined)
        await messages.insertNote(
          scope,
          current,
          { content: contentOf({ kind: 'woken' }), cause: { kind: 'member', id: snoozedBy } },
          tx,
        )
      await shown.announce(scope, [id], tx, { became: () => ({ woken: true }) })
    })
  }

  /** Finds snoozed conversations that are due. */
  const due = async () =>
    (await conversations.dueOnTimer(now(), maxDue)).map(({ id, workspaceId }) => ({ id, workspaceId }))

  /** Gives an open conversation without an owner to a member, by a rule. @returns whether it still had no owner. */
  async function give(scope: WorkspaceScope, id: string, userId: string, tx: Tx): Promise<boolean> {
    const current = await conversations.read(scope, id, { session: tx.session })
    if (current?.status !== 'open' || current.owner.kind !== 'nobody') return false
    const { set, unset } = ownedBy(current, { kind: 'member', id: userId }, 'rule', now())
    await conversations.change(scope, id, { $set: set, $unset: unset }, { session: tx.session })
    const content = contentOf({ kind: 'assigned', member: userId })
    await messages.insertNote(scope, current, { content, cause: byRule }, tx)
    await shown.announce(scope, [id], tx, { became: changeFrom(current, 'assigned') })
    return true
  }

  /** Takes an open or snoozed conversation from a member who has left: it is nobody's. @returns whether they had it. */
  async function takeBack(scope: WorkspaceScope, id: string, left: { userId: string; by: string }): Promise<boolean> {
    return transaction(async (tx) => {
      const current = await conversations.read(scope, id, { session: tx.session })
      if (current?.owner.kind !== 'member' || current.owner.id !== left.userId) return false
      const { set, unset } = ownedBy(current, { kind: 'nobody' }, 'person', now())
      await conversations.change(scope, id, { $set: set, $unset: unset }, { session: tx.session })
      const cause = { kind: 'member', id: left.by } as const
      await messages.insertNote(scope, current, { content: contentOf({ kind: 'unassigned' }), cause }, tx)
      const by = { kind: 'user', id: left.by } as const
      await shown.announce(scope, [id], tx, { by, became: changeFrom(current, 'assigned') })
      return true
    })
  }

  /** Takes a conversation whose customer waits from a member who is away, by a rule: it is nobody's. */
  async function takeFromAway(scope: WorkspaceScope, id: string, userId: string, tx: Tx): Promise<void> {
    const current = await conversations.read(scope, id, { session: tx.session })
    const isTheirs = current?.owner.kind === 'member' && current.owner.id === userId
    if (!isTheirs || current.status !== 'open' || !current.waitingSince) return
    const { set, unset } = ownedBy(current, { kind: 'nobody' }, 'rule', now())
    await conversations.change(scope, id, { $set: set, $unset: unset }, { session: tx.session })
    await messages.insertNote(scope, current, { content: contentOf({ kind: 'unassigned' }), cause: byRule }, tx)
    await shown.announce(scope, [id], tx, { became: changeFrom(current, 'assigned') })
  }

  return { update, wake, due, give, takeBack, takeFromAway }
}

function checkMayAssign({ may }: ActorContext): void {
  if (!may('conversations:assign')) throw errors.forbidden('You may not assign conversations.')
}

const byRule = { kind: 'system', id: 'assignment' } as const
const maxDue = 500
const noSnooze = { snoozedUntil: '', snoozedBy: '', timer: '' } as const

function statusOf(
  ctx: ActorContext,
  current: ConversationRecord,
  { status, snoozedUntil }: Changes,
  now: Date,
): Partial<Decision> {
  if (snoozedUntil !== undefined && (status !== 'snoozed' || Date.parse(snoozedUntil) <= now.getTime()))
    throw errors.validation({ snoozedUntil: 'Choose a time in the future, and snooze the conversation.' })
  const until = snoozedUntil === undefined ? undefined : new Date(snoozedUntil)
  if (status === undefined || (status === current.status && until?.getTime() === current.snoozedUntil?.getTime()))
    return {}
  const activities = [{ kind: statusActivity[status], ...(snoozedUntil !== undefined && { until: snoozedUntil }) }]
  if (status === 'closed') return { ...closed(current, 'person', now), activities }
  return {
    set: {
      status,
      ...(current.status === 'closed' && { openedAt: now }),
      ...(status === 'snoozed' && { snoozedBy: ctx.actor.id }),
      ...(until && { snoozedUntil: until, timer: snoozeTimer }),
    },
    ...(!until && { unset: status === 'snoozed' ? { snoozedUntil: '', timer: '' } : noSnooze }),
    activities,
  }
}
const statusActivity = { open: 'reopened', closed: 'closed', snoozed: 'snoozed' } as const

function newOwnerOf(
  ctx: ActorContext,
  current: ConversationRecord,
  { owner, status }: Changes,
  now: Date,
): Partial<Decision> {
  if (!owner) return {}
  const { kind } = owner
  const closes = status === 'closed' && current.status !== status
  if (closes && kind !== 'nobody')
    throw errors.validation({ owner: 'A conversation that is closed has no owner. Assign it once it is open again.' })
  const id = kind === 'member' ? (owner.id ?? memberIdOf(ctx)) : undefined
  if (kind === 'member' && id === undefined) throw errors.validation({ 'owner.id': 'Name the member who takes it.' })
  // Closing frees it too.
  if (closes || (current.owner.kind === kind && current.owner.id === id)) return {}
  const activity: Activity = kind === 'nobody' ? { kind: 'unassigned' } : { kind: 'assigned', member: id }
  return {
    ...ownedBy(current, { kind, ...(id !== undefined && { id }) }, 'person', now),
    activities: [activity],
  }
}

const merge = (parts: readonly Partial<Decision>[]): Decision => ({
  set: Object.assign({}, ...parts.map(({ set }) => set)),
  unset: Object.assign({}, ...parts.map(({ unset }) => unset)),
  activities: parts.flatMap(({ activities = [] }) => activities),
})

const lines: Record<Activity['kind'], string> = {
  assigned: 'Assigned this conversation',
  unassigned: 'Unassigned this conversation',
  closed: 'Closed this conversation',
  reopened: 'Opened this conversation again',
  snoozed: 'Snoozed this conversation',
  woken: 'This conversation is back',
}
const contentOf = (activity: Activity): MessageContent => ({
  type: 'system',
  text: lines[activity.kind],
  activity,
})

function firstOf([conversation]: readonly Conversation[]): Conversation {
  if (!conversation) throw errors.internal()
  return conversation
}
