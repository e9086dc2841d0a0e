import type { Conversation } from '@parley/contracts/inbox/conversations'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { inboxSummaryOptions } from '../../lib/inbox-summary.ts'
import { conversationKeys } from '../../lib/query-keys.ts'
import { countAsRead } from './cache.ts'

const conversationId = 'conversation-1'
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
