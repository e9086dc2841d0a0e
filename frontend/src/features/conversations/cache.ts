import type { Conversation, Message } from '@parley/contracts/conversations'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { conversationKeys } from '../../lib/query-keys.ts'
import { conversationOptions, inboxSummaryOptions, messagesOptions } from './api.ts'

interface Page<T> {
  readonly items: readonly T[]
}

/** Everything of the inbox that is in the cache, so that a change which failed can be taken out again. */
export type Snapshot = readonly [QueryKey, unknown][]

export const takeSnapshot = (client: QueryClient): Snapshot => client.getQueriesData({ queryKey: conversationKeys.all })

export function restore(client: QueryClient, snapshot: Snapshot): void {
  for (const [key, data] of snapshot) client.setQueryData(key, data)
}

const mapItems = <P extends Page<unknown>, T extends P['items'][number]>(
  data: InfiniteData<P>,
  change: (item: T) => T,
): InfiniteData<P> => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, items: page.items.map((item) => change(item as T)) })),
})

/** Changes a conversation wherever it is shown; it keeps its place in the lists. */
export function patchConversation(
  client: QueryClient,
  matches: (conversation: Conversation) => boolean,
  change: (conversation: Conversation) => Conversation,
): void {
  const apply = (conversation: Conversation) => (matches(conversation) ? change(conversation) : conversation)
  client.setQueriesData<InfiniteData<Page<Conversation>>>(
    { queryKey: conversationKeys.lists },
    (data) => data && mapItems(data, apply),
  )
  client.setQueriesData<Conversation>({ queryKey: conversationKeys.ones }, (known) => known && apply(known))
}

/** A conversation in which something was just said goes to the top of the lists that hold it. */
export function raiseConversation(client: QueryClient, id: string): void {
  client.setQueriesData<InfiniteData<Page<Conversation>>>({ queryKey: conversationKeys.lists }, (data) => {
    const found = data?.pages.flatMap(({ items }) => items).find((item) => item.id === id)
    if (!data || !found) return data
    const pages = data.pages.map((page, index) => {
      const others = page.items.filter((item) => item.id !== id)
      return { ...page, items: index === 0 ? [found, ...others] : others }
    })
    return { ...data, pages }
  })
}

/**
 * Puts a message at the end of a thread, or in the place of the one with `replaces`. That one is missing where the thread was
 * loaded while its message was on the way; it may then have the message already.
 */
export function putMessage(client: QueryClient, message: Message, replaces?: string): void {
  client.setQueryData(messagesOptions(message.conversationId).queryKey, (data) => {
    if (!data) return data
    const has = (wanted?: string) => data.pages.some(({ items }) => items.some(({ id }) => id === wanted))
    if (has(replaces)) return mapItems(data, (item: Message) => (item.id === replaces ? message : item))
    const [newest, ...older] = data.pages
    if (!newest || has(message.id)) return data
    return { ...data, pages: [{ ...newest, items: [...newest.items, message] }, ...older] }
  })
}

/** A thread that is being read right now may have been answered before the message was sent: it is read again. */
export async function readThreadAgain(client: QueryClient, conversationId: string): Promise<void> {
  const { queryKey } = messagesOptions(conversationId)
  if (client.isFetching({ queryKey }) === 0) return
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

export function removeMessage(client: QueryClient, { conversationId, id }: Message): void {
  client.setQueryData(
    messagesOptions(conversationId).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  )
}

/** The conversation has been read: its badge goes and the sum of unread messages falls. */
export function showAsRead(client: QueryClient, id: string): void {
  const unread = client.getQueryData(conversationOptions(id).queryKey)?.unreadCount ?? 0
  patchConversation(
    client,
    (conversation) => conversation.id === id,
    (conversation) => ({ ...conversation, unreadCount: 0 }),
  )
  client.setQueryData(
    inboxSummaryOptions().queryKey,
    (summary) => summary && { ...summary, unread: Math.max(0, summary.unread - unread) },
  )
}
