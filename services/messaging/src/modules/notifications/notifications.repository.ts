import type { NotificationCategory } from '@parley/contracts/platform/notifications'
import type { Filter } from '@parley/service-kit/data/collection-types'
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
  /** Time at which they joined: what was told before is no news to them, but for the sample's. */
  readonly since?: Date | undefined
  /** Conversations that they see; absent: all. One that somebody else has by now is named no more. */
  readonly conversations?: readonly string[] | undefined
}

/** A workspace has no more that are for all, and a member no more that are for them: the oldest ones go first. */
const maxKept = 500
const maxPersonal = 200
const conversation = 'conversation'
/** Notifications that are removed at once. */
const maxTrimmed = 100

export function createNotificationsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const notifications = workspaceCollection<NotificationRecord>({
    connection,
    name: 'notifications',
    schema: notificationRecordSchema,
  })
  const visibleTo = ({ userId, categories, since, conversations }: Reader): Filter<NotificationRecord> => ({
    category: { $in: [...categories] },
    // None are for nobody else.
    for: { $in: [null, userId] },
    $and: [
      since ? { $or: [{ at: { $gte: since } }, { sample: true as const }] } : {},
      conversations ? { $or: [{ 'object.kind': { $ne: conversation } }, { 'object.id': { $in: conversations } }] } : {},
    ],
  })
  const unreadBy = (reader: Reader): Filter<NotificationRecord> => ({
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

  /** Finds those behind the newest of one audience. @param audience a member; `null` for all. */
  async function excessOf(scope: WorkspaceScope, audience: string | null, kept: number, { session }: Tx) {
    const found = await notifications(scope)
      .find({ for: audience })
      .select('_id')
      .sort({ at: -1, _id: -1 })
      .skip(kept)
      .limit(maxTrimmed)
      .hint('audience')
      .session(session)
    return found.map(({ id }) => id)
  }

  return {
    page: (reader: Reader, page: { limit?: number | undefined; cursor?: string | undefined }) =>
      pageOf(notifications(reader), {
        ...page,
        sort: { index: 'audience', field: 'at', direction: -1 },
        cursors,
        workspaceId: reader.workspaceId,
        filter: visibleTo(reader),
        query: [reader.userId, reader.categories],
      }),
    /** Returns the conversations of which a member was told. */
    conversationsOf: async (reader: Reader): Promise<string[]> => {
      const found = await notifications(reader)
        .find({ ...visibleTo(reader), 'object.kind': conversation })
        .select('object')
        .limit(maxKept + maxPersonal)
        .hint('audience')
      return [...new Set(found.map(({ object }) => object.id))]
    },
    countUnread: (reader: Reader): Promise<number> =>
      notifications(reader).countDocuments(unreadBy(reader), { hint: 'audience' }),
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
    /** Removes the oldest ones that are too many of those for all, and of those for each of some members. */
    trim: async (scope: WorkspaceScope, of: { all: boolean; users: readonly string[] }, tx: Tx): Promise<void> => {
      const { session } = tx
      if (of.all) {
        const ids = await excessOf(scope, null, maxKept, tx)
        if (ids.length > 0) await notifications(scope).deleteMany({ _id: { $in: ids } }, { session })
      }
      for (const userId of of.users) {
        const ids = await excessOf(scope, userId, maxPersonal, tx)
        if (ids.length === 0) continue
        await notifications(scope).updateMany({ _id: { $in: ids } }, { $pull: { for: userId } }, { session })
        await notifications(scope).deleteMany({ _id: { $in: ids }, for: { $size: 0 } }, { session })
      }
    },
  }
}
