import type { Message } from '@parley/contracts/inbox/messages'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Waiting } from '../list/waiting.ts'
import { changeLiveThread, liveThread, messagesOf, putNews } from './live-thread.ts'

const id = 'conversation-1'
const message = (name: string, minute: number, over: Partial<Message> = {}): Message => ({
  id: name,
  conversationId: id,
  direction: 'outbound',
  content: { type: 'text', text: name },
  status: 'sent',
  cause: { kind: 'member', id: 'me' },
  sentAt: `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`,
  version: 1,
  ...over,
})
const page = (items: Message[], cursors: { next?: string; previous?: string } = {}) => ({
  pages: [{ items, nextCursor: cursors.next ?? null, previousCursor: cursors.previous ?? null, total: items.length }],
  pageParams: [undefined],
})
const ids = (messages: readonly Message[]) => messages.map((one) => one.id)

test('what has come since a read stands where its time has it', () => {
  const read = page([message('a', 1), message('c', 3)])
  expect(ids(messagesOf(read, [message('d', 4), message('b', 2)]))).toEqual(['a', 'b', 'c', 'd'])
})

test('a message shows in the newer of its versions, whichever came last', () => {
  const read = page([message('a', 1, { status: 'read', version: 3 })])
  const shown = (version: number) =>
    messagesOf(read, [message('a', 1, { status: 'delivered', version })]).map(({ status }) => status)
  expect([shown(2), shown(4)]).toEqual([['read'], ['delivered']])
})

test('news that lie where nothing has been read yet are left to be read', () => {
  const newer = [message('old', 1), message('between', 5), message('new', 9)]
  const read = [message('a', 4), message('b', 6)]
  expect(ids(messagesOf(page(read, { next: 'older', previous: 'newer' }), newer))).toEqual(['a', 'between', 'b'])
})

test('an older version that comes late takes nothing back; what waited under the client id is sent', () => {
  const client = new QueryClient()
  const waiting: Waiting = {
    clientId: 'client-id',
    conversationId: id,
    request: { kind: 'note', text: 'x' },
    shown: { type: 'text', text: 'x' },
    at: '2026-11-21T10:00:00.000Z',
    state: 'sending',
  }
  changeLiveThread(client, id, (thread) => ({ ...thread, waiting: [waiting, { ...waiting, clientId: 'another' }] }))
  putNews(client, id, [message('a', 1, { version: 2, status: 'read', clientId: 'client-id' })])
  putNews(client, id, [message('a', 1, { version: 1, status: 'sent' })])
  const thread = liveThread(client, id)
  expect(thread.newer.map(({ status }) => status)).toEqual(['read'])
  expect(thread.waiting.map(({ clientId }) => clientId)).toEqual(['another'])
})
