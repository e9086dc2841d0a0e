import { type Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { conversationKeys } from '../../lib/query-keys.ts'
import { copiesOf } from '../../lib/record-copies.ts'
import type { ListFilter } from './list/list-filter.ts'
import { conversationRecords } from './records.ts'

const firstPage: string | undefined = undefined
const paging = {
  initialPageParam: firstPage,
  getNextPageParam: (page: { nextCursor: string | null }): string | undefined => page.nextCursor ?? undefined,
} as const

export const conversationListOptions = (filter: ListFilter) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: conversationKeys.list(filter),
    queryFn: async ({ pageParam, signal, client }) => {
      const page = await call(conversationsApi.list, { query: { ...filter, limit: 50, cursor: pageParam }, signal })
      return conversationRecords.readPage(client, page)
    },
  })

/** Pages lead back in time; within a page the oldest message comes first. */
export const messagesOptions = (id: string) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: conversationKeys.messages(id),
    queryFn: ({ pageParam, signal }) =>
      call(messagesApi.list, { params: { id }, query: { limit: 50, cursor: pageParam }, signal }),
  })

export const conversationOptions = (id: string) =>
  queryOptions({
    queryKey: conversationKeys.one(id),
    queryFn: async ({ signal, client }) => {
      const conversation = await call(conversationsApi.read, { params: { id }, signal })
      return conversationRecords.read(client, conversation) ?? conversation
    },
  })

/** Counts of a conversation and its latest notes, read again when a message has come. */
export const historyOptions = ({ id, version }: Pick<Conversation, 'id' | 'version'>) =>
  queryOptions({
    queryKey: conversationKeys.historyAt(id, version),
    queryFn: ({ signal }) => call(conversationsApi.history, { params: { id }, signal }),
    placeholderData: keepPreviousData,
  })

const aroundSize = 50
type ThreadPage = { readonly around: string } | { readonly cursor: string | undefined }

/** The page around one message, and what is read from there in both directions. */
export const messagesAroundOptions = (id: string, messageId: string) => {
  const start = (): ThreadPage => ({ around: messageId })
  const at = (cursor: string | null): ThreadPage | undefined => (cursor === null ? undefined : { cursor })
  return infiniteQueryOptions({
    queryKey: conversationKeys.messagesAround(id, messageId),
    queryFn: ({ pageParam, signal }) =>
      call(messagesApi.list, { params: { id }, query: { limit: aroundSize, ...pageParam }, signal }),
    initialPageParam: start(),
    getNextPageParam: ({ nextCursor }) => at(nextCursor),
    getPreviousPageParam: ({ previousCursor }) => at(previousCursor),
    staleTime: 0,
  })
}

/** One message as it is now: the page around it, of which it is all that is wanted. */
export async function readMessage(id: string, messageId: string): Promise<Message | undefined> {
  const page = await call(messagesApi.list, { params: { id }, query: { around: messageId, limit: 1 } })
  return page.items.find((message) => message.id === messageId)
}

/** Finds a conversation in the lists already read, so that its pane need not wait. */
export const knownConversation = (client: QueryClient, id: string): Conversation | undefined =>
  copiesOf<Conversation>(client, conversationKeys, id)[0]
