import { can, type Role } from '@parley/contracts/account/permissions'
import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import {
  type Notification,
  notificationCategories,
  notificationPermissions,
  type notificationsApi,
} from '@parley/contracts/platform/notifications'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { MemberFactsService } from '../../platform/member-facts.ts'
import { type AddNotifications, cut, maxBody, type NewNotification, titled } from '../../platform/notification.ts'
import { type createNotificationSettings, switchOf } from './notification-settings.ts'
import type { NotificationRecord } from './notifications.model.ts'
import type { NotificationsRepository, Reader } from './notifications.repository.ts'

interface Caller extends WorkspaceScope {
  readonly userId: string
  readonly role: Role
}

/** Returns those of some conversations that a member sees. */
type Sight = (conversationIds: readonly string[]) => Promise<readonly string[]>

/** Serves each member's notifications, which depend on what the member may do. */
export function createNotificationsService({
  notificationRecords: notifications,
  addNotifications,
  settings,
  members,
  transaction,
}: {
  notificationRecords: NotificationsRepository
  addNotifications: AddNotifications
  settings: Pick<ReturnType<typeof createNotificationSettings>, 'read'>
  members: Pick<MemberFactsService, 'find'>
  transaction: RunInTransaction
}) {
  /** @param sight absent for a member who sees all conversations. */
  async function list(caller: Caller, query: EndpointInput<typeof notificationsApi.list>['query'], sight?: Sight) {
    const reader = await readerOf(caller, sight)
    const [page, unread] = await Promise.all([notifications.page(reader, query), notifications.countUnread(reader)])
    return { ...page, items: page.items.map(shownTo(caller.userId)), unread }
  }

  /** Other tabs and devices of the member are told. @throws `not_found`, with nothing marked. */
  async function markRead(
    caller: Caller,
    which: { ids: readonly string[] } | { all: true },
    sight?: Sight,
  ): Promise<void> {
    const reader = await readerOf(caller, sight)
    const ids = 'ids' in which ? [...new Set(which.ids)] : 'all'
    if (ids !== 'all' && (!ids.every(isId) || (await notifications.countOf(reader, ids)) < ids.length))
      throw errors.notFound('There is no such notification.')
    const { workspaceId, userId } = caller
    await transaction(async (tx) => {
      if ((await notifications.markRead(reader, ids, tx)) === 0) return
      tx.emit({ workspaceId, type: 'notification.read', by: { kind: 'user', id: userId }, data: { userId } })
    })
  }

  async function readerOf({ workspaceId, userId, role }: Caller, sight: Sight | undefined): Promise<Reader> {
    const [{ notifications: wanted }, { found }] = await Promise.all([
      settings.read({ workspaceId, userId }),
      members.find({ workspaceId }, [userId]),
    ])
    const joined = found.get(userId)?.since
    const categories = notificationCategories.filter((category) => {
      const kind = switchOf[category]
      return can(role, notificationPermissions[category]) && (kind === undefined || wanted[kind] === true)
    })
    const reader = { workspaceId, userId, categories, ...(joined !== undefined && { since: new Date(joined) }) }
    return sight ? { ...reader, conversations: await sight(await notifications.conversationsOf(reader)) } : reader
  }

  /** Tells members that a bot or workflow could not go on. */
  const tellBotFailure = (scope: WorkspaceScope, failure: Parameters<typeof ofBotFailure>[0]): Promise<void> =>
    transaction((tx) => addNotifications(scope, [ofBotFailure(failure)], tx))

  return { list, markRead, tellBotFailure }
}

const shownTo =
  (userId: string) =>
  ({
    id,
    category,
    severity,
    title,
    body,
    action,
    object,
    at,
    readBy,
    readByAll,
  }: NotificationRecord): Notification => ({
    id,
    category,
    severity,
    title,
    body,
    object,
    ...(action !== undefined && { action }),
    at: at.toISOString(),
    readAt: (readByAll ?? readBy.find((read) => read.userId === userId)?.at)?.toISOString() ?? null,
  })

/**
 * A bot or workflow could not go on by itself. There is one a day for each: what follows stands on the attention list, and in its runs.
 */
function ofBotFailure({
  bot,
  sentence,
  at,
}: EndpointInput<typeof messagingInternalApi.botFailures>['body']): NewNotification {
  const day = new Date(at).toISOString().slice(0, 10)
  const common = { category: 'bot', severity: 'error', body: cut(sentence, maxBody), at: new Date(at) } as const
  if (!bot)
    return {
      ...common,
      key: `bots/failed/${day}`,
      title: 'Bots could not handle a message',
      action: 'See what needs attention',
      object: { kind: 'bot_attention', id: 'open' },
    }
  return {
    ...common,
    key: `${bot.kind}/${bot.id}/failed/${day}`,
    title: titled(bot.name, 'could not go on'),
    ...(bot.kind === 'bot'
      ? { action: 'See its sessions', object: { kind: 'bot_sessions', id: bot.id } }
      : { action: 'See its runs', object: { kind: 'workflow_runs', id: bot.id } }),
    ...(bot.sample && { sample: true }),
  }
}
