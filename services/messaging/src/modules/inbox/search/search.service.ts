import { createHash } from 'node:crypto'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import { isTimeLimit } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { ThreadService } from '../messages/thread.service.ts'
import type { MessageSearchRepository, SearchPlace } from './message-search.repository.ts'
import { searchableText, searchTerms } from './search-terms.ts'

type Query = EndpointInput<typeof messagesApi.search>['query']
type Answer = EndpointResponse<typeof messagesApi.search>

const pageSize = 25
const searchMs = 300
const dayMs = 86_400_000
/** Words that are each common are looked for in short stretches of time first, which grow. */
const firstStretchMs = 15 * dayMs
const maxStretchMs = 3650 * dayMs
/** Messages of one conversation that are read at once. */
const threadStep = 500
const lastId = 'f'.repeat(24)

/** Ids of messages that were found, and how far the search has come. */
interface Found {
  readonly places: readonly SearchPlace[]
  /** Place up to which was searched; absent where everything was. */
  readonly reached?: SearchPlace | undefined
}

/** Finds messages by whole words, newest first, in bounded time; it says how far back it came, and continues from there. */
export function createSearchService({
  search,
  thread,
  conversations,
  cursors,
  clock = () => performance.now(),
}: {
  search: MessageSearchRepository
  thread: Pick<ThreadService, 'readMany' | 'walk'>
  conversations: Pick<ConversationsService, 'read' | 'showMany'>
  cursors: PageCursors
  clock?: () => number
}) {
  /**
   * @param options.isReady false where not all can be found yet: it has come nowhere then, and continues from where it began.
   * @throws `not_found` for a conversation that is not there; `validation_failed` for a cursor of another search.
   */
  async function find(
    scope: WorkspaceScope,
    { q, conversation, cursor }: Query,
    { isReady = true }: { isReady?: boolean } = {},
  ): Promise<Answer> {
    if (conversation !== undefined) await conversations.read(scope, conversation)
    const words = searchTerms(q)
    if (words.length === 0) return { items: [], nextCursor: null, searchedTo: null }
    const boundTo = createHash('sha256')
      .update(JSON.stringify([scope.workspaceId, words, conversation]))
      .digest('base64url')
    const behind = cursor === undefined ? undefined : placeOf(cursors.read(cursor, boundTo).position)
    const deadline = isReady ? clock() + searchMs : 0
    const search = (from: SearchPlace | undefined) =>
      conversation === undefined
        ? everywhere(scope, words, { behind: from, deadline })
        : inThread(scope, { conversation, words, behind: from, deadline })
    let { places, reached } = await search(behind)
    let items = await hitsOf(scope, places)
    // A caller may see few messages of a page.
    while (scope.viewer !== undefined && items.length === 0 && reached && clock() < deadline) {
      ;({ places, reached } = await search(reached))
      items = await hitsOf(scope, places)
    }
    return {
      items,
      nextCursor: reached
        ? cursors.write({ direction: 'next', position: { key: reached.at, id: reached.id } }, boundTo)
        : null,
      searchedTo: reached?.at.toISOString() ?? null,
    }
  }

  async function everywhere(
    scope: WorkspaceScope,
    words: readonly string[],
    { behind, deadline }: { behind: SearchPlace | undefined; deadline: number },
  ): Promise<Found> {
    const ordered = await search.rarestFirst(scope, words)
    const places: SearchPlace[] = []
    // The index has one word in the order of time: only several need stretches.
    let stretchMs = words.length === 1 ? maxStretchMs : firstStretchMs
    let from = behind
    while (true) {
      const upper = from?.at.getTime() ?? Date.now()
      const since = stretchMs >= maxStretchMs ? new Date(0) : new Date(upper - stretchMs)
      const limitMs = Math.ceil(deadline - clock())
      const place = from ?? { at: new Date(upper), id: lastId }
      if (limitMs < 1) return { places, reached: place }
      const limit = pageSize + 1 - places.length
      const found = await search.find(scope, ordered, { behind: from, since, limit, limitMs }).catch(timeIsUp)
      if (!found) return { places, reached: place }
      places.push(...found.map(({ at, id }) => ({ at, id })))
      if (places.length > pageSize) return pageOf(places)
      if (since.getTime() === 0) return { places }
      from = { at: since, id: lastId }
      stretchMs *= 2
    }
  }

  /** One thread is read itself: that is quick enough, and needs no index of its words. */
  async function inThread(
    scope: WorkspaceScope,
    options: { conversation: string; words: readonly string[]; behind: SearchPlace | undefined; deadline: number },
  ): Promise<Found> {
    const { conversation, words, deadline } = options
    const places: SearchPlace[] = []
    let { behind } = options
    while (true) {
      const step = await thread.walk(scope, conversation, { behind, limit: threadStep })
      for (const { id, sentAt: at, content, deletedAt } of step) {
        behind = { at, id }
        if (deletedAt) continue
        const terms = new Set(searchTerms(searchableText(content)))
        if (words.every((word) => terms.has(word))) places.push(behind)
        if (places.length > pageSize) return pageOf(places)
      }
      if (step.length < threadStep) return { places }
      if (clock() > deadline) return { places, reached: behind }
    }
  }

  async function hitsOf(scope: WorkspaceScope, places: readonly SearchPlace[]): Promise<Answer['items']> {
    const messages = await thread.readMany(
      scope,
      places.map(({ id }) => id),
    )
    const byId = new Map(messages.map((message) => [message.id, message]))
    const shown = await conversations.showMany(
      scope,
      messages.map(({ conversationId }) => conversationId),
    )
    return places.flatMap(({ id }) => {
      const message = byId.get(id)
      const conversation = message && shown.get(message.conversationId)
      return message && conversation && message.deletedAt === undefined ? [{ message, conversation }] : []
    })
  }

  return { find }
}

function pageOf(places: readonly SearchPlace[]): Found {
  const shown = places.slice(0, pageSize)
  return { places: shown, reached: shown.at(-1) }
}

function placeOf(position: { key: unknown; id: string } | undefined): SearchPlace | undefined {
  return position?.key instanceof Date ? { at: position.key, id: position.id } : undefined
}

function timeIsUp(error: unknown): undefined {
  if (isTimeLimit(error)) return undefined
  throw error
}

/**
 * Makes messages findable, behind the log of events: what it costs is three times the message itself, so it is in no
 * one's way.
 */
export const createSearchIndex =
  ({ search, thread }: { search: MessageSearchRepository; thread: Pick<ThreadService, 'recordsOf'> }) =>
  /** Indexes the messages of events, in the transaction that marks the events as read. */
  async (scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> => {
    const ids = events.flatMap((event) => {
      if (event.type === 'history.added') return event.data.messageIds
      return event.type === 'message.changed' && isNews(event.data) ? event.data.messageId : []
    })
    const records = await thread.recordsOf(scope, [...new Set(ids)], { session: tx.session })
    const words = records.map(({ id, conversationId, sentAt, content, deletedAt }) => ({
      id,
      conversationId,
      at: sentAt,
      words: deletedAt ? [] : searchTerms(searchableText(content)),
    }))
    await search.replace(scope, words, tx)
  }

/** The steps of an outbound message change nothing of its text. */
const isNews = ({ created = false, direction }: { created?: boolean | undefined; direction: string }): boolean =>
  created || direction !== 'outbound'
