import type { PageOf } from '@parley/contracts/core/records'
import type { Message } from '@parley/contracts/inbox/messages'
import { type InfiniteData, type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { conversationKeys } from '../../../lib/query-keys.ts'
import type { Waiting } from '../list/waiting.ts'

/**
 * Messages added to a thread since its pages were read, and those that this page has not sent yet. Kept apart from the pages, so
 * that a read under way never removes them.
 */
export interface LiveThread {
  /** The newest version of each message that an answer or event has brought. */
  readonly newer: readonly Message[]
  readonly waiting: readonly Waiting[]
  /** Customer message announced by the last event. Its content is read after that. */
  readonly arrived?: string
}

const nothing: LiveThread = { newer: [], waiting: [] }

const options = (id: string) =>
  queryOptions<LiveThread>({
    queryKey: conversationKeys.live(id),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })

export const useLiveThread = (id: string): LiveThread => useQuery(options(id)).data ?? nothing

export const liveThread = (client: QueryClient, id: string): LiveThread =>
  client.getQueryData(options(id).queryKey) ?? nothing

export const changeLiveThread = (client: QueryClient, id: string, change: (thread: LiveThread) => LiveThread): void =>
  void client.setQueryData(options(id).queryKey, (thread) => change(thread ?? nothing))

const isNewer = (message: Message, known: Message): boolean => (message.version ?? 0) >= (known.version ?? 0)

/** Takes over messages as the server tells them; what was waiting under the same client id has become one of them. */
export function putNews(client: QueryClient, id: string, messages: readonly Message[]): void {
  changeLiveThread(client, id, ({ newer, waiting, ...thread }) => {
    const byId = new Map(newer.map((message) => [message.id, message]))
    for (const message of messages) {
      const known = byId.get(message.id)
      if (!known || isNewer(message, known)) byId.set(message.id, message)
    }
    const sent = new Set(messages.map(({ clientId }) => clientId))
    return { ...thread, newer: [...byId.values()], waiting: waiting.filter(({ clientId }) => !sent.has(clientId)) }
  })
}

type Pages = InfiniteData<PageOf<Message>, unknown>

const pagesOf = (client: QueryClient, id: string) =>
  client
    .getQueriesData<Pages>({ queryKey: conversationKeys.messages(id) })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ items }) => items)

/** A message as it is known by now, wherever it was read. */
export const knownMessage = (client: QueryClient, id: string, messageId: string): Message | undefined =>
  [...liveThread(client, id).newer, ...pagesOf(client, id)].find((message) => message.id === messageId)

/**
 * The messages of a thread, oldest first: the pages that were read, each message in its newest version, and what has come
 * since. News that lie before the first page or behind the last are left out as long as there is more to read in between.
 */
export function messagesOf({ pages }: Pages, newer: readonly Message[]): Message[] {
  const read = pages.toReversed().flatMap(({ items }) => items)
  const byId = new Map(newer.map((message) => [message.id, message]))
  const newest = read.map((message) => {
    const changed = byId.get(message.id)
    byId.delete(message.id)
    return changed && isNewer(changed, message) ? changed : message
  })
  const first = read[0]
  const last = read.at(-1)
  const isComplete = { before: !pages.at(-1)?.nextCursor, after: !pages[0]?.previousCursor }
  const between = [...byId.values()].filter(
    (message) =>
      (isComplete.before || !first || first.sentAt <= message.sentAt) &&
      (isComplete.after || !last || message.sentAt <= last.sentAt),
  )
  return between.length === 0 ? newest : [...newest, ...between].sort(bySentAt)
}

/** Compares messages by time; those of one moment keep the order in which they came. */
const bySentAt = (one: Message, other: Message) =>
  one.sentAt === other.sentAt ? 0 : one.sentAt < other.sentAt ? -1 : 1

/** Returns the last message of the thread known from the server. */
export function newestKnown(client: QueryClient, id: string): Message | undefined {
  const data = client.getQueryData<Pages>(conversationKeys.messages(id))
  return data && messagesOf(data, liveThread(client, id).newer).at(-1)
}

/**
 * Returns up to which message an open thread has been read: the one just announced by an event, which will show in a moment, or
 * else the last one shown. @returns `true` for a thread without messages.
 */
export function readUpTo(pages: Pages, { newer, arrived }: LiveThread): string | true {
  const messages = messagesOf(pages, newer)
  if (arrived !== undefined && !messages.some(({ id }) => id === arrived)) return arrived
  return messages.at(-1)?.id ?? true
}

/** Drops a thread that is not open: read again when it is opened, from its newest page. */
export function forgetThread(client: QueryClient, id: string): void {
  const queryKey = conversationKeys.messages(id)
  client.removeQueries({ queryKey, predicate: ({ queryKey: { length } }) => length > queryKey.length })
  client.setQueryData<Pages>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  )
  changeLiveThread(client, id, ({ waiting }) => ({ newer: [], waiting }))
  void client.invalidateQueries({ queryKey, refetchType: 'none' })
}
