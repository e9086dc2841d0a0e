import type { Message } from '@parley/contracts/conversations'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { messagesOptions } from './api.ts'
import { putMessage, readThreadAgain } from './cache.ts'

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
