import type { Conversation, Message } from '@parley/contracts/conversations'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { conversationKeys } from '../../lib/query-keys.ts'
import { inboxSummaryOptions, messagesOptions } from './api.ts'
import { countAsRead, putMessage, readThreadAgain } from './cache.ts'

const conversationId = 'conversation-1'
const { queryKey } = messagesOptions(conversationId)
const message = (id: string): Message => ({
  id,
  conversationId,
  direction: 'outbound',
  content: { type: 'text', text: id },
  status: 'sent',
  cause: { kind: 'member', id: 'me' },
  sentAt: '2026-11-21T10:00:00.000Z',
})
const threadOf = (...ids: string[]) => ({
  pages: [{ items: ids.map(message), nextCursor: null, previousCursor: null, total: ids.length }],
  pageParams: [undefined],
})
const shown = (client: QueryClient) =>
  client.getQueryData(queryKey)?.pages.flatMap(({ items }) => items.map(({ id }) => id))

test.each([
  ['takes the place of the waiting one', threadOf('old', 'waiting'), ['old', 'sent']],
  ['joins a thread that was loaded meanwhile without it', threadOf('old'), ['old', 'sent']],
  ['stands once in a thread that was loaded meanwhile with it', threadOf('old', 'sent'), ['old', 'sent']],
])('a message that was sent %s', (_name, thread, ids) => {
  const client = new QueryClient()
  client.setQueryData(queryKey, thread)
  putMessage(client, message('sent'), 'waiting')
  expect(shown(client)).toEqual(ids)
})

test('a thread whose reading began before the message was sent is read again', async () => {
  const client = new QueryClient()
  let reads = 0
  const answers = [new Promise<never>(() => {}), Promise.resolve(threadOf('old', 'sent'))]
  const observer = new QueryObserver(client, { queryKey, queryFn: () => answers[reads++] ?? threadOf() })
  const stop = observer.subscribe(() => {})
  expect(reads).toBe(1)
  await readThreadAgain(client, conversationId)
  expect(shown(client)).toEqual(['old', 'sent'])
  await readThreadAgain(client, conversationId)
  expect(reads).toBe(2)
  stop()
})

const summaryKey = inboxSummaryOptions().queryKey
const unreadInList = (client: QueryClient, unreadCount: number) =>
  client.setQueryData(conversationKeys.list({}), {
    pages: [{ items: [{ id: conversationId, unreadCount } as Conversation] }],
  })

test('the sum of unread messages falls by those of a conversation that only a list knows, and rises again', async () => {
  const client = new QueryClient()
  client.setQueryData(summaryKey, { total: 3, open: 3, unread: 33 })
  unreadInList(client, 2)
  const takeBack = await countAsRead(client, conversationId)
  expect(client.getQueryData(summaryKey)?.unread).toBe(31)
  takeBack()
  expect(client.getQueryData(summaryKey)?.unread).toBe(33)
})

test('a sum that was asked for before the conversation was read does not come back with the old count', async () => {
  const client = new QueryClient()
  client.setQueryData(summaryKey, { total: 3, open: 3, unread: 33 })
  unreadInList(client, 2)
  const answer = Promise.withResolvers<{ total: number; open: number; unread: number }>()
  const reading = client.fetchQuery({ queryKey: summaryKey, queryFn: () => answer.promise }).catch(() => undefined)
  await countAsRead(client, conversationId)
  answer.resolve({ total: 3, open: 3, unread: 33 })
  await reading
  expect(client.getQueryData(summaryKey)?.unread).toBe(31)
})
