import type { Conversation, Message } from '@parley/contracts/conversations'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { conversationKeys } from '../../lib/query-keys.ts'
import { inboxSummaryOptions, knownConversation, messagesOptions } from './api.ts'

interface Page<T> {
  readonly items: readonly T[]
}

const mapItems = <P extends Page<unknown>, T extends P['items'][number]>(
  data: InfiniteData<P>,
  change: (item: T) => T,
): InfiniteData<P> => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, items: page.items.map((item) => change(item as T)) })),
})

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

/**
 * The sum of unread messages falls by those that a conversation shows as unread. A read of the sum that is under way is
 * cancelled, for it knows nothing of this; the sum is read once the change has ended. @returns what takes that back.
 */
export async function countAsRead(client: QueryClient, id: string): Promise<() => void> {
  const { queryKey } = inboxSummaryOptions()
  await client.cancelQueries({ queryKey })
  const unread = knownConversation(client, id)?.unreadCount ?? 0
  const add = (change: number) =>
    client.setQueryData(queryKey, (summary) => summary && { ...summary, unread: Math.max(0, summary.unread + change) })
  add(-unread)
  return () => add(unread)
}
