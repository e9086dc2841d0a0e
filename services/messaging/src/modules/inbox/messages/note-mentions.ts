import { can } from '@parley/contracts/account/permissions'
import { notificationPermissions } from '@parley/contracts/platform/notifications'
import type { Tx } from '@parley/service-kit/data/transaction'
import { causeOf, type UserContext } from '@parley/service-kit/http/context'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import { type AddNotifications, cut, maxBody, titled } from '../../../platform/notification.ts'
import type {
  ConversationRecord,
  ConversationsRepository,
  ConversationsService,
} from '../conversations/conversations.service.ts'
import { isVisibleTo } from '../conversations/visible-to.ts'
import type { VisibilityService } from '../visibility/visibility.service.ts'
import type { MessageRecord } from './messages.model.ts'

interface Dependencies {
  readonly conversationRecords: Pick<ConversationsRepository, 'mention'>
  readonly conversations: Pick<ConversationsService, 'announce'>
  readonly members: MemberFactsService
  readonly visibility: Pick<VisibilityService, 'viewerOf'>
  readonly addNotifications: AddNotifications
}
export type Mentioned = Awaited<ReturnType<ReturnType<typeof createNoteMentions>>>

/** Creates what notes do with the members whom they mention: their Mentions view has the conversation, and the bell tells them. */
export function createNoteMentions({
  conversationRecords,
  conversations,
  members,
  visibility,
  addNotifications,
}: Dependencies) {
  /** @throws `validation_failed` where one is no member, `service_unavailable` where that cannot be known. */
  return async function readMentioned(ctx: UserContext, mentions: readonly string[]) {
    const others = [...new Set(mentions)].filter((userId) => userId !== ctx.userId)
    await members.check(ctx, others, 'mentions')
    const { found } = others.length > 0 ? await members.find(ctx, [...others, ctx.userId]) : { found: new Map() }
    const { workspaceId } = ctx
    const readers = await Promise.all(
      others.map(async (userId) => {
        const role = found.get(userId)?.role ?? 'viewer'
        const isTold = can(role, notificationPermissions.message)
        return { userId, isTold, viewer: await visibility.viewerOf({ workspaceId, userId, role }) }
      }),
    )

    /** Returns the user ids of those who see a conversation and may act on it. */
    const whoSee = (conversation: Pick<ConversationRecord, 'viewers'>): string[] =>
      readers.flatMap(({ userId, isTold, viewer }) =>
        isTold && isVisibleTo({ workspaceId, ...(viewer !== undefined && { viewer }) }, conversation) ? userId : [],
      )

    /** Part of the transaction that writes the note. */
    async function tell(
      { message, text, told }: { message: MessageRecord; text: string; told: readonly string[] },
      tx: Tx,
    ): Promise<void> {
      const { conversationId } = message
      await conversationRecords.mention(ctx, conversationId, told, { session: tx.session })
      const [shown] = await conversations.announce(ctx, [conversationId], tx, { by: causeOf(ctx) })
      const notification = {
        key: `mention:${message.id}`,
        category: 'message' as const,
        severity: 'info' as const,
        title: titled(found.get(ctx.userId)?.name ?? 'A colleague', 'mentioned you'),
        body: cut(`${shown?.contact.name ?? 'Customer'}: ${text}`, maxBody),
        action: 'Open the conversation',
        object: { kind: 'conversation', id: conversationId },
        for: told,
        at: message.sentAt,
      }
      await addNotifications(ctx, [notification], tx)
    }

    return { whoSee, tell }
  }
}
