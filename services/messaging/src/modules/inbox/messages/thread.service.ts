import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { defaultPageSize, type PageOf } from '@parley/contracts/core/records'
import type { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { MessageRecord } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { toMessage } from './to-message.ts'

type ThreadQuery = EndpointInput<typeof messagesApi.list>['query']
type Page = PageOf<Message>

/** Maximum delay of a message: its time is that of its source. */
const lateMs = 10 * 60_000

/** Kinds of inbound message that are no news for anyone. */
const silentTypes = ['reaction', 'system']

/** The messages of a conversation, by page. */
export function createThreadService({
  messageRecords: messages,
  conversations,
  cursors,
}: {
  messageRecords: MessagesRepository
  conversations: Pick<ConversationsService, 'read'>
  cursors: PageCursors
}) {
  /** @throws `not_found` for a conversation, or a message to begin at, that is not there. */
  async function read(scope: WorkspaceScope, conversationId: string, query: ThreadQuery): Promise<Page> {
    // Both are asked at once: what is not there is refused, whatever the other has found.
    const [page] = await Promise.all([
      readPage(scope, conversationId, query),
      conversations.read(scope, conversationId),
    ])
    return page
  }

  async function readPage(scope: WorkspaceScope, conversationId: string, query: ThreadQuery): Promise<Page> {
    const { limit = defaultPageSize, cursor, after, around } = query
    if (after !== undefined) return readAfter(scope, await find(scope, conversationId, after), limit)
    if (around !== undefined) return readAround(scope, await find(scope, conversationId, around), limit)
    return toPage(await messages.page(scope, { cursors, filter: { conversationId }, limit, cursor }))
  }

  /** @throws `not_found` where it is in another conversation. */
  async function find(
    scope: WorkspaceScope,
    conversationId: string,
    messageId: string,
    options?: SessionOption,
  ): Promise<MessageRecord> {
    const message = await messages.read(scope, messageId, options)
    if (message?.conversationId !== conversationId) throw errors.notFound('There is no such message.')
    return message
  }

  /** Returns what follows a message in the thread, and what has come since with an earlier time. */
  async function readAfter(scope: WorkspaceScope, { id, conversationId, sentAt }: MessageRecord, limit: number) {
    const records = await messages.oldest(
      scope,
      {
        conversationId,
        sentAt: { $gte: new Date(sentAt.getTime() - lateMs) },
        $or: [{ sentAt: { $gt: sentAt } }, { _id: { $gt: id } }],
      },
      limit,
    )
    return { items: records.map(toMessage), nextCursor: null, previousCursor: null, total: records.length }
  }

  async function readAround(scope: WorkspaceScope, record: MessageRecord, limit: number): Promise<Page> {
    const filter = { conversationId: record.conversationId }
    const half = Math.max(1, Math.floor(limit / 2))
    const [newer, older] = await Promise.all(
      (['previous', 'next'] as const).map((direction) =>
        messages.page(scope, { cursors, filter, limit: half, from: { record, direction } }),
      ),
    )
    if (!newer || !older) throw errors.internal()
    return toPage({
      ...older,
      items: [...newer.items, record, ...older.items].slice(0, 100),
      previousCursor: newer.previousCursor,
    })
  }

  /** Counts the unread messages behind one. */
  const unreadAfter = async (scope: WorkspaceScope, conversationId: string, messageId: string, tx: SessionOption) => {
    const { id, sentAt } = await find(scope, conversationId, messageId, tx)
    return messages.countInThread(
      scope,
      {
        conversationId,
        sentAt: { $gte: sentAt },
        $nor: [{ sentAt, _id: { $lte: id } }],
        direction: 'inbound',
        'content.type': { $nin: silentTypes },
      },
      tx,
    )
  }

  const readMany = async (scope: WorkspaceScope, ids: readonly string[]): Promise<Message[]> =>
    (await messages.readMany(scope, ids)).map(toMessage)

  return { read, find, unreadAfter, readMany, recordsOf: messages.readMany, walk: messages.walk }
}
export type ThreadService = ReturnType<typeof createThreadService>

/** Converts a page; within it the oldest message comes first. */
const toPage = (page: PageOf<MessageRecord>): Page => ({ ...page, items: page.items.map(toMessage).reverse() })
