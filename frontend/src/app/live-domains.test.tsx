import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { botKeys, contactKeys, conversationKeys } from '../lib/query-keys.ts'
import { eventOf } from '../testing/stub-server.ts'
import { receive } from './live-domains.ts'

const messageOf = (direction: string, contactId: string) => {
  const data = { messageId: 'm2', conversationId: 'c1', status: null, created: true, direction }
  return { ...eventOf('message.changed', data, 1), contactId }
}

test.each([
  ['a note of this contact', messageOf('note', 'contact-1'), true],
  ['a note of another one', messageOf('note', 'contact-2'), false],
  ['a message of this contact', messageOf('inbound', 'contact-1'), false],
  ['a campaign', eventOf('campaign.changed', { campaignId: 'c9' }), true],
  ['messages that are kept no longer', eventOf('messages.removed', { count: 3 }), true],
  ['a change of contacts', eventOf('contacts.changed', { count: 1 }), true],
])("%s: whether a contact's timeline is read again", async (_what, event, isRead) => {
  const client = new QueryClient()
  const queryKey = contactKeys.timeline('contact-1')
  client.setQueryData(queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [''] })
  await receive(client, event.type, JSON.stringify(event))
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(isRead)
})

test('lists of conversations show no longer the last line of messages that went', async () => {
  const client = new QueryClient()
  const queryKey = [...conversationKeys.lists, 'open']
  client.setQueryData(queryKey, { pages: [], pageParams: [] })
  await receive(client, 'messages.removed', JSON.stringify(eventOf('messages.removed', { count: 3 })))
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

test.each([
  ['its runs', { runs: true }, false],
  ['the flow', {}, true],
])('a hint about %s: whether a draft, and a check that is open, are read again', async (_what, about, isRead) => {
  const client = new QueryClient()
  const [read, kept] = [
    [botKeys.lists, botKeys.runs('b1', {}), botKeys.attention],
    [botKeys.record('b1'), botKeys.check('b1')],
  ]
  for (const queryKey of [...read, ...kept]) client.setQueryData(queryKey, {})
  await receive(client, 'automation', JSON.stringify({ kind: 'bot', id: 'b1', ...about }))
  for (const queryKey of read) expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  for (const queryKey of kept) expect(client.getQueryState(queryKey)?.isInvalidated).toBe(isRead)
})
