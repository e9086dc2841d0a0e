import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ConversationRecord, conversationSchema, queued, waits } from './conversations.model.ts'

/** Stores which conversations wait for a member: for a bot to pass them on first, then for one who has room. */
export function createMemberQueue(connection: ServiceConnection) {
  const definition = { connection, name: 'conversations', schema: conversationSchema }
  const conversations = workspaceCollection<ConversationRecord>(definition)
  const awaitingMembers = scopedCollection<object, ConversationRecord>(definition, () => ({
    'assignment.state': waits,
  }))

  return {
    /** Schedules the assignment of open conversations without an owner. */
    awaitMember: (scope: WorkspaceScope, ids: readonly string[], at: Date, options: SessionOption = {}) =>
      conversations(scope).updateMany(
        { _id: { $in: ids }, status: 'open', 'owner.kind': 'nobody' },
        { $set: { assignment: { state: waits, at } } },
        options,
      ),
    /** Has customers wait for a person; what a bot's answer has hidden is unread again. */
    leaveToPeople: (scope: WorkspaceScope, ids: readonly string[], at: Date, options: Pick<Tx, 'session'>) => {
      const isHidden = { $not: [{ $gt: ['$waitingSince', null] }] }
      return conversations(scope).updateMany(
        { _id: { $in: ids } },
        [
          {
            $set: {
              forPersonSince: at,
              waitingSince: { $ifNull: ['$waitingSince', at] },
              unreadCount: { $cond: [isHidden, { $max: ['$unreadCount', 1] }, '$unreadCount'] },
            },
          },
        ],
        options,
      )
    },
    /** Conversations of all workspaces that have waited long enough for a bot, each workspace's longest first. */
    dueForMember: (now: Date, limit: number): PromiseLike<ConversationRecord[]> =>
      awaitingMembers({})
        .find({ 'assignment.at': { $lte: now } })
        .limit(limit)
        .hint('members'),
    /** Open conversations that wait for a member who has room, the one that waits longest first. */
    queued: (
      scope: WorkspaceScope,
      limit: number,
      { session }: Pick<Tx, 'session'>,
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ 'assignment.state': queued })
        .sort({ 'assignment.at': 1, _id: 1 })
        .limit(limit)
        .hint('members')
        .session(session),
    /** @param waiting since when each waits. */
    enqueue: async (
      scope: WorkspaceScope,
      waiting: readonly { readonly id: string; readonly at: Date }[],
      options: Pick<Tx, 'session'>,
    ): Promise<void> => {
      if (waiting.length === 0) return
      const writes = waiting.map(({ id, at }) => ({
        updateOne: {
          filter: { _id: id, status: 'open' as const, 'owner.kind': 'nobody' },
          update: { $set: { assignment: { state: queued, at } as const } },
        },
      }))
      await conversations(scope).bulkWrite(writes, { ...options, ordered: false })
    },
    leaveQueue: (scope: WorkspaceScope, id: string, options: Pick<Tx, 'session'>) =>
      conversations(scope).updateOne({ _id: id }, { $unset: { assignment: '' } }, options),
  }
}
