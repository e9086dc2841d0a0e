import type { PageOf } from '@parley/contracts/core/records'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { hashKey, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { inboxSummaryOptions } from '../../lib/inbox-summary.ts'
import { contactKeys, conversationKeys, userKey, visibilityKeys } from '../../lib/query-keys.ts'
import { copiesOf, replaceRecord } from '../../lib/record-copies.ts'
import { userIdOf } from '../../lib/user.ts'
import { knownConversation } from './api.ts'
import { isListed, type ListFilter } from './list/list-filter.ts'
import { conversationRecords } from './records.ts'

type List = InfiniteData<PageOf<Conversation>, unknown>

/** Takes over a conversation as the server tells it by an answer or an event: in every list, where it now belongs. */
export function receiveConversation(client: QueryClient, conversation: Conversation): void {
  const before = conversationRecords.newest(client, conversation.id)
  if (before && before.version > conversation.version) return
  conversationRecords.receive(client, conversation)
  placeConversation(client, conversation.id)
  if (before?.version !== conversation.version) readSummaryAgain(client)
}

/**
 * Takes out of the page what the person no longer sees: a conversation that a colleague has now, or, without one, all that may be
 * hidden. What is on screen is read again, and the server decides.
 */
export function hideConversations(client: QueryClient, id?: string): void {
  if (id === undefined) {
    for (const queryKey of [conversationKeys.all, contactKeys.all]) void client.resetQueries({ queryKey })
    void client.invalidateQueries({ queryKey: visibilityKeys.all })
    return
  }
  replaceRecord(client, conversationKeys, id, undefined)
  for (const queryKey of [conversationKeys.one(id), conversationKeys.messages(id), conversationKeys.live(id)])
    void client.resetQueries({ queryKey })
  readSummaryAgain(client)
}

/** Puts a conversation where its lists have it by now. One that is open stays, so that nothing moves under its reader. */
function placeConversation(client: QueryClient, id: string): void {
  const shown = copiesOf<Conversation>(client, conversationKeys, id)[0] ?? conversationRecords.newest(client, id)
  if (!shown) return
  const ownId = userIdOf(client.getQueryData(userKey)) ?? ''
  const open = new URLSearchParams(window.location.search).get('id')
  for (const [queryKey, list] of client.getQueriesData<List>({ queryKey: conversationKeys.lists })) {
    const filter = filterOf(queryKey)
    const belongs = isListed(filter, shown, ownId)
    if (!list || belongs === undefined) continue
    // Only the server knows the order by who waits or whose window closes.
    if (filter.sort && filter.sort !== 'newest') readListAgain(client, queryKey)
    else client.setQueryData(queryKey, withPlaced(list, shown, belongs || (id === open && has(list, id))))
  }
}

/** `conversationKeys.list` puts the filter last. */
const filterOf = (queryKey: QueryKey): ListFilter => (queryKey.at(-1) ?? {}) as ListFilter

const itemsOf = ({ pages }: List) => pages.flatMap(({ items }) => items)
const has = (list: List, id: string) => itemsOf(list).some((item) => item.id === id)

function withPlaced(list: List, conversation: Conversation, belongs: boolean): List {
  const items = itemsOf(list)
  const was = items.some(({ id }) => id === conversation.id)
  if (!was && !belongs) return list
  const others = items.filter(({ id }) => id !== conversation.id)
  const later = others.findIndex(({ lastMessage }) => lastMessage.at <= conversation.lastMessage.at)
  const index = later === -1 ? others.length : later
  const isFurtherDown = index === others.length && (list.pages.at(-1)?.nextCursor ?? null) !== null
  const placed = belongs && !isFurtherDown ? others.toSpliced(index, 0, conversation) : others
  const more = Number(belongs) - Number(was)
  return { ...list, pages: repaged(list.pages, placed).map((page) => ({ ...page, total: page.total + more })) }
}

/** The same pages with these items; the first takes what there is more or less, for the others begin where cursors lead. */
function repaged(pages: List['pages'], items: readonly Conversation[]): List['pages'] {
  const rest = pages.slice(1).reduce((sum, page) => sum + page.items.length, 0)
  let start = 0
  return pages.map((page, index) => {
    const end = index === 0 ? Math.max(0, items.length - rest) : start + page.items.length
    const part = items.slice(start, end)
    start = end
    return { ...page, items: part }
  })
}

const readListAgain = atMostEvery(
  3000,
  (_client: QueryClient, queryKey: QueryKey) => hashKey(queryKey),
  (client, queryKey) => void client.invalidateQueries({ queryKey, exact: true }),
)
const readSummaryAgain = atMostEvery(
  1000,
  (_client: QueryClient) => '',
  (client) => void client.invalidateQueries({ queryKey: conversationKeys.summary }),
)

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

/**
 * @returns `act`, carried out at once for the first call and once more at the end of each `ms` in which it was called again
 * with the same `key`.
 */
function atMostEvery<A extends readonly unknown[]>(
  ms: number,
  keyOf: (...args: A) => string,
  act: (...args: A) => void,
): (...args: A) => void {
  const later = new Map<string, A | undefined>()
  const run = (key: string, args: A) => {
    later.set(key, undefined)
    setTimeout(() => {
      const last = later.get(key)
      later.delete(key)
      if (last) run(key, last)
    }, ms)
    act(...args)
  }
  return (...args) => {
    const key = keyOf(...args)
    if (later.has(key)) later.set(key, args)
    else run(key, args)
  }
}
