import type { NotificationCategory } from '@parley/contracts/platform/notifications'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { NewNotification } from '../../platform/notification.ts'
import { type NotificationRecord, notificationRecordSchema } from './notifications.model.ts'

export type NotificationsRepository = ReturnType<typeof createNotificationsRepository>

/** Member who reads, and the categories of their notifications. */
export interface Reader extends WorkspaceScope {
  readonly userId: string
  readonly categories: readonly NotificationCategory[]
}

/** A workspace has no more: the oldest ones go first. */
const maxKept = 500

export function createNotificationsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const notifications = workspaceCollection<NotificationRecord>({
    connection,
    name: 'notifications',
    schema: notificationRecordSchema,
  })
  const visibleTo = ({ userId, categories }: Reader) => ({
    category: { $in: [...categories] },
    // None are for nobody else.
    for: { $in: [null, userId] },
  })
  const unreadBy = (reader: Reader) => ({
    ...visibleTo(reader),
    readByAll: { $exists: false },
    'readBy.userId': { $ne: reader.userId },
  })

  /** Marks what is unread of it. @returns how much that was. */
  async function markRead(reader: Reader, ids: readonly string[] | 'all', tx: Tx): Promise<number> {
    const filter = { ...unreadBy(reader), ...(ids !== 'all' && { _id: { $in: [...ids] } }) }
    const update = { $push: { readBy: { userId: reader.userId, at: new Date() } } }
    return (await notifications(reader).updateMany(filter, update, { session: tx.session })).modifiedCount
  }

  return {
    page: (reader: Reader, page: { limit?: number | undefined; cursor?: string | undefined }) =>
      pageOf(notifications(reader), {
        ...page,
        sort: { index: 'recent', field: 'at', direction: -1 },
        cursors,
        workspaceId: reader.workspaceId,
        filter: visibleTo(reader),
      }),
    countUnread: (reader: Reader): Promise<number> =>
      notifications(reader).countDocuments(unreadBy(reader), { hint: 'recent' }),
    countOf: (reader: Reader, ids: readonly string[]): Promise<number> =>
      notifications(reader).countDocuments({ ...visibleTo(reader), _id: { $in: [...ids] } }),
    markRead,

    /** @returns the id, or null where it was raised before. */
    raise: async (
      scope: WorkspaceScope,
      { key, ...notification }: NewNotification,
      { session }: Tx,
    ): Promise<string | null> => {
      const update = { $setOnInsert: { ...notification, readBy: [] } }
      return (await notifications(scope).updateOne({ key }, update, { session, upsert: true })).upsertedId
    },
    /** Removes the oldest ones that are too many. */
    trim: async (scope: WorkspaceScope, { session }: Tx): Promise<void> => {
      const excess = (await notifications(scope).countDocuments({}, { session, hint: 'recent' })) - maxKept
      if (excess <= 0) return
      const oldest = await notifications(scope)
        .find({})
        .sort({ at: 1, _id: 1 })
        .limit(excess)
        .hint('recent')
        .session(session)
      await notifications(scope).deleteMany({ _id: { $in: oldest.map(({ id }) => id) } }, { session })
    },
  }
}
