import type { Conversation } from '@parley/contracts/inbox/conversations'
import { expect, test } from 'vitest'
import { laterChoices, snoozeChoices } from '../details/snooze-times.ts'
import { isListed, type ListFilter } from './list-filter.ts'

const at = '2026-03-09T10:00:00.000Z'
const conversation: Conversation = {
  id: 'conversation-1',
  createdAt: at,
  updatedAt: at,
  version: 1,
  contact: { id: 'contact-1', name: 'Priya Sharma', tags: ['vip'] },
  numberId: 'number-1',
  status: 'open',
  owner: { kind: 'member', id: 'me' },
  unreadCount: 0,
  lastMessage: { text: 'Hello', direction: 'inbound', at },
  history: { messages: 1, firstContactAt: at, lastActiveAt: at },
}

test.each<[string, ListFilter, Partial<Conversation>, boolean | undefined]>([
  ['everything', {}, {}, true],
  ['mine', { show: 'mine' }, {}, true],
  ['mine, of another', { show: 'mine' }, { owner: { kind: 'member', id: 'another' } }, false],
  ['mine, closed', { show: 'mine' }, { status: 'closed' }, false],
  ['mentions', { show: 'mentions' }, {}, undefined],
  ['unassigned', { show: 'unassigned' }, { owner: { kind: 'nobody' } }, true],
  ['unassigned, of a bot', { show: 'unassigned' }, { owner: { kind: 'bot', id: 'bot-1' } }, false],
  ['unread', { show: 'unread' }, { unreadCount: 2 }, true],
  ['unread, read', { show: 'unread' }, {}, false],
  ['snoozed', { show: 'snoozed' }, { status: 'snoozed' }, true],
  ['open, snoozed', { show: 'open' }, { status: 'snoozed' }, false],
  ['another number', { number: 'number-2' }, {}, false],
  ['another tag', { tag: 'lead' }, {}, false],
  ['its owner', { owner: 'me' }, {}, true],
  ['its bot', { bot: 'bot-1' }, { owner: { kind: 'bot', id: 'bot-1' } }, true],
  ['another bot', { bot: 'bot-2' }, { owner: { kind: 'bot', id: 'bot-1' } }, false],
  ['a bot, of a member', { bot: 'me' }, {}, false],
  ['words, which the server looks for', { q: 'priya' }, {}, undefined],
  ['begun without a message', {}, { history: { ...conversation.history, messages: 0 } }, false],
])('a list of %s', (_name, filter, over, listed) => {
  expect(isListed(filter, { ...conversation, ...over }, 'me')).toBe(listed)
})

test('a snooze ends in the morning of the person’s own zone', () => {
  // A Friday, 23:30 in Kolkata.
  const choices = snoozeChoices(new Date('2026-03-13T18:00:00.000Z'), 'Asia/Kolkata')
  expect(choices.map(({ label, until }) => [label, until.toISOString()])).toEqual([
    ['For 1 hour', '2026-03-13T19:00:00.000Z'],
    ['For 4 hours', '2026-03-13T22:00:00.000Z'],
    ['Until tomorrow, 9:00', '2026-03-14T03:30:00.000Z'],
    ['Until Monday, 9:00', '2026-03-16T03:30:00.000Z'],
  ])
})

test('usual times to send later are those of the person’s own zone', () => {
  // A Sunday, 10:00 in Kolkata: tomorrow is Monday.
  const choices = laterChoices(new Date('2026-03-15T04:30:00.000Z'), 'Asia/Kolkata')
  expect(choices.map(({ label, at }) => [label, at.toISOString()])).toEqual([
    ['In 1 hour', '2026-03-15T05:30:00.000Z'],
    ['In 4 hours', '2026-03-15T08:30:00.000Z'],
    ['Tomorrow, 9:00', '2026-03-16T03:30:00.000Z'],
  ])
})
