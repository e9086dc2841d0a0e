import type { PageOf } from '@parley/contracts/core/records'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { inboxViews } from '@parley/contracts/inbox/inbox-summary'
import { inboxViews as views } from '@parley/contracts/inbox/inbox-summary'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ActorContext, UserContext } from '@parley/service-kit/http/context'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConversationFilter, ConversationsRepository } from './conversations.repository.ts'
import { type ConversationsService, noConversation } from './conversations.service.ts'
import { type ListPlan, type ListQuery, planList, viewOf } from './list-plan.ts'
import { isVisibleTo, visibleTo } from './visible-to.ts'

/** Maximum records that are read by the index of a condition and then sorted; more are read in order and filtered. */
const few = 2000

/** Indexes in the order of messages, in place of which a member who sees few reads by `viewers`. */
const inOrder: readonly string[] = ['status', 'unread']
const indexFor = ({ viewer }: WorkspaceScope, index: string): string =>
  viewer !== undefined && inOrder.includes(index) ? 'viewers' : index

interface Opening {
  readonly contactId: string
  readonly numberId?: string | undefined
}

type Counts = Record<(typeof inboxViews)[number], number>

/** Lists and counts the conversations of the inbox. */
export function createInboxService({
  conversationRecords: conversations,
  cursors,
  conversations: shown,
  contactRecords,
  numbers: knownNumbers,
  now = () => new Date(),
}: {
  conversationRecords: ConversationsRepository
  cursors: PageCursors
  conversations: Pick<ConversationsService, 'ensure' | 'show' | 'showAll'>
  contactRecords: { readonly read: (scope: WorkspaceScope, id: string) => PromiseLike<{ live?: boolean } | null> }
  numbers: Pick<NumbersService, 'defaultId' | 'read'>
  now?: Clock
}) {
  async function list(ctx: ActorContext, query: ListQuery): Promise<PageOf<Conversation>> {
    const { limit, cursor, ...selection } = query
    const { sort, filter, seeds } = planList(query, { userId: ctx.actor.id, now: now() })
    const numbers = ctx.numbers && { numberId: { $in: ctx.numbers } }
    const inSight = numbers || ctx.viewer ? { $and: [filter, { ...numbers }, visibleTo(ctx)] } : filter
    const [order, shorter] = [indexFor(ctx, sort.index), await shorterWay(ctx, seeds)]
    const page = await conversations.page(ctx, {
      sort: { ...sort, index: order },
      filter: inSight,
      index: shorter,
      ...(ctx.viewer !== undefined && { count: () => countInSight(ctx, inSight, shorter ?? order) }),
      query: { ...selection, userId: ctx.actor.id, viewer: ctx.viewer, ...(ctx.numbers && { numbers: ctx.numbers }) },
      cursors,
      limit,
      cursor,
    })
    return { ...page, items: await shown.showAll(ctx, page.items) }
  }

  /** Counts what a member sees of a list, exactly up to a number that nobody looks through: each key of two lists is looked at. */
  async function countInSight(ctx: ActorContext, filter: ConversationFilter, hint: string) {
    const total = await conversations.count(ctx, filter, { hint, limit: few + 1 })
    return total > few ? { total: few, approximate: true as const } : { total }
  }

  /** The index of the first condition that leaves few records. */
  async function shorterWay(ctx: ActorContext, seeds: ListPlan['seeds']): Promise<string | undefined> {
    for (const { filter, index } of seeds) {
      if ((await conversations.count(ctx, filter, { hint: index, limit: few + 1 })) <= few) return index
    }
    return undefined
  }

  /** @throws `not_found` for a conversation of a number that the caller's key is not for. */
  async function requireReach(ctx: ActorContext, id: string): Promise<void> {
    if (!ctx.numbers) return
    const record = await conversations.read(ctx, id)
    if (!record || !ctx.numbers.includes(record.numberId)) throw noConversation()
  }

  /** @throws `not_found` for a conversation that the caller does not see. */
  async function requireVisible(ctx: WorkspaceScope, id: string): Promise<void> {
    const record = await conversations.read(ctx, id)
    if (record?.merged) return requireVisible(ctx, record.merged.id)
    if (!record || !isVisibleTo(ctx, record)) throw noConversation()
  }

  /** Returns whether the caller sees a conversation with a contact. */
  const seesContact = async (ctx: WorkspaceScope, contactId: string): Promise<boolean> =>
    (await conversations.count(
      ctx,
      { contactId, merged: { $exists: false }, ...visibleTo(ctx) },
      { hint: 'pair', limit: 1 },
    )) > 0

  /** Returns those of some conversations that the caller sees. */
  const visibleOf = async (ctx: WorkspaceScope, ids: readonly string[]): Promise<string[]> =>
    (await conversations.readMany(ctx, ids)).flatMap((record) => (isVisibleTo(ctx, record) ? record.id : []))

  /** Returns those of the conversations with some contacts that the caller sees. */
  const visibleWith = async (ctx: WorkspaceScope, contactIds: readonly string[]): Promise<string[]> =>
    visibleOf(
      ctx,
      (await conversations.withContacts(ctx, contactIds)).map(({ id }) => id),
    )

  /** Counts exactly: `unread` counts messages, everything else conversations. */
  async function summary(ctx: UserContext) {
    const [unread, ...counted] = await Promise.all([
      conversations.countUnread(ctx),
      ...views.map((view) => {
        const { filter, index } = viewOf(view, ctx.userId)
        return conversations.count(ctx, { ...filter, ...visibleTo(ctx) }, { hint: indexFor(ctx, index) })
      }),
    ])
    const counts = Object.fromEntries(views.map((view, index) => [view, counted[index] ?? 0])) as Counts
    return { total: counts.all, open: counts.open, unread, views: counts }
  }

  /**
   * The latest conversation with a contact, or the one from a given number; where there is none it is begun, from the default number
   * unless told.
   * @throws `not_found` also for a number; `wrong_state` where none is connected.
   */
  async function open(ctx: UserContext, { contactId, numberId }: Opening): Promise<Conversation> {
    if (!(await contactRecords.read(ctx, contactId))?.live) throw errors.notFound('There is no such contact.')
    const all = await conversations.withContact(ctx, contactId)
    const visible = all.filter((one) => isVisibleTo(ctx, one))
    if (visible.length === 0 && ctx.viewer !== undefined) throw errors.notFound('There is no such contact.')
    const wanted = visible.find((one) => numberId === undefined || one.numberId === numberId)
    if (wanted) return shown.show(ctx, wanted.id)
    if (numberId !== undefined && !(isId(numberId) && (await knownNumbers.read(ctx, numberId))))
      throw errors.notFound('There is no such number.')
    const from = numberId ?? (await knownNumbers.defaultId(ctx))
    if (from === undefined) throw errors.wrongState('Connect a WhatsApp number first, then write to your contacts.')
    // A colleague's, which this member does not see.
    if (all.some((one) => one.numberId === from)) throw errors.notFound('There is no such conversation.')
    const begun = await shown.ensure(ctx, [{ numberId: from, contactId }])
    const [id] = begun.values()
    if (id === undefined) throw errors.internal()
    return shown.show(ctx, id)
  }

  return { list, requireReach, requireVisible, seesContact, visibleOf, visibleWith, summary, open }
}
export type InboxService = ReturnType<typeof createInboxService>
