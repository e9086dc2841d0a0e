import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { expect, test } from 'vitest'
import { initialsOf } from '../../ui/avatar.tsx'
import { replyWindow } from './composer/reply-window.ts'
import { conversationFields, messageFields } from './composer/seed-fields.ts'
import { dayIn, dayLabel, groupByDay } from './thread/day-groups.ts'
import { shortened } from './thread/message-text.tsx'

const zone = { timeZone: 'Asia/Kolkata', locale: 'en-GB' }
const message = (id: string, sentAt: string, over: Partial<Message> = {}): Message => ({
  id,
  conversationId: 'conversation-1',
  direction: 'inbound',
  content: { type: 'text', text: `text of ${id}` },
  cause: { kind: 'customer', id: 'contact-1' },
  sentAt,
  ...over,
})

test.each([
  ['Priya Sharma', 'PS'],
  ['Lakshmi', 'L'],
  ['Zoë 🌸 Flowers', 'ZF'],
  ['Café Mocha — Indiranagar Branch (Wholesale)', 'CW'],
  ['李小龍', '李'],
])('the initials of %s are at most two letters: %s', (name, initials) => expect(initialsOf(name)).toBe(initials))

test('a thread is parted by the days of the person’s own time zone', () => {
  const entries = groupByDay(
    [
      message('old', '2025-12-31T10:00:00.000Z'),
      message('evening', '2026-03-08T18:29:00.000Z'),
      message('midnight', '2026-03-08T18:31:00.000Z'),
      message('today', '2026-03-09T19:00:00.000Z'),
    ],
    { today: '2026-03-10', ...zone },
  )
  expect(entries.map((entry) => (entry.kind === 'day' ? entry.label : entry.key))).toEqual([
    'Wed, 31 December 2025',
    'old',
    'Sun 8 March',
    'evening',
    'Yesterday',
    'midnight',
    'Today',
    'today',
  ])
})

test('a day of 25 hours has a day before it as well', () => {
  const newYork = { timeZone: 'America/New_York', locale: 'en-GB' }
  // Late on the day on which the clocks go back: 24 hours earlier it was that day already.
  const today = dayIn(newYork.timeZone, new Date('2026-11-02T04:30:00.000Z'))
  expect(today).toBe('2026-11-01')
  expect(dayLabel(new Date('2026-10-31T16:00:00.000Z'), { today, ...newYork })).toBe('Yesterday')
})

test('the line before what was unread stays where it was when more arrives', () => {
  const there = [
    message('read', '2026-03-09T10:00:00.000Z', { direction: 'inbound' }),
    message('unread', '2026-03-09T10:02:00.000Z', { direction: 'inbound' }),
  ]
  const more = [message('more', '2026-03-09T10:30:00.000Z', { direction: 'inbound' })]
  const unread = { count: 1, until: '2026-03-09T10:02:00.000Z' }
  for (const messages of [there, [...there, ...more]]) {
    const keys = groupByDay(messages, { today: '2026-03-09', unread, ...zone }).map(({ key }) => key)
    expect(keys.slice(0, 4)).toEqual(['day-2026-03-09', 'read', 'unread', 'unread'])
  }
})

test('messages of one side within minutes follow each other; reactions stand at their message', () => {
  const entries = groupByDay(
    [
      message('first', '2026-03-09T10:00:00.000Z'),
      message('second', '2026-03-09T10:02:00.000Z'),
      message('heart', '2026-03-09T10:03:00.000Z', { content: { type: 'reaction', emoji: '❤️', to: 'first' } }),
      message('third', '2026-03-09T10:20:00.000Z'),
      message('lost', '2026-03-09T10:21:00.000Z', { content: { type: 'reaction', emoji: '👍', to: 'not-read-yet' } }),
    ],
    { today: '2026-03-09', ...zone },
  )
  expect(
    entries.flatMap((entry) => (entry.kind === 'message' ? [[entry.key, entry.follows, entry.reactions]] : [])),
  ).toEqual([
    ['first', false, ['❤️']],
    ['second', true, []],
    ['third', false, []],
    ['lost', true, []],
  ])
})

const now = new Date('2026-03-09T10:00:00.000Z')
test.each([
  [undefined, 'closed', ''],
  ['2026-03-09T10:00:00.000Z', 'closed', ''],
  ['2026-03-09T10:00:20.000Z', 'closing', '1 min'],
  ['2026-03-09T11:59:00.000Z', 'closing', '1 h 59 min'],
  ['2026-03-10T07:14:00.000Z', 'open', '21 h 14 min'],
  ['2026-03-09T12:00:00.000Z', 'open', '2 h'],
])('a window until %s is %s, %s left', (until, state, left) => expect(replyWindow(until, now)).toEqual({ state, left }))

test('screens see their own field names', () => {
  const conversation: Conversation = {
    id: 'conversation-1',
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-09T10:00:00.000Z',
    version: 1,
    contact: { id: 'contact-1', name: 'Priya Sharma', phone: '+919876543210', tags: [] },
    numberId: 'number-1',
    status: 'open',
    owner: { kind: 'nobody' },
    unreadCount: 2,
    lastMessage: { text: 'Hello', direction: 'inbound', at: '2026-03-09T10:00:00.000Z' },
    history: { messages: 1, firstContactAt: '2026-03-01T10:00:00.000Z', lastActiveAt: '2026-03-09T10:00:00.000Z' },
  }
  expect(conversationFields(conversation)).toEqual({
    id: 'conversation-1',
    name: 'Priya Sharma',
    phone: '+91 98765 43210',
    lastMessage: 'Hello',
    timestamp: '2026-03-09T10:00:00.000Z',
    unread: 2,
  })
  const at = '2026-03-09T10:00:00.000Z'
  const outbound = (status: NonNullable<Message['status']>) =>
    messageFields(message('m', at, { direction: 'outbound', status }))
  expect(outbound('read')).toEqual({
    content: { type: 'text', text: 'text of m' },
    isSent: true,
    timestamp: at,
    status: 'read',
  })
  expect([outbound('sent').status, outbound('delivered').status]).toEqual(['sent', 'delivered'])
  expect([outbound('queued').status, outbound('failed').status]).toEqual([null, null])
  expect(messageFields(message('m', at))).toMatchObject({ isSent: false, status: null })
})

test('a very long text is shortened between words, another is not', () => {
  expect(shortened('short')).toBeUndefined()
  expect(shortened('word '.repeat(300))).toMatch(/^(word )+word …$/)
})
